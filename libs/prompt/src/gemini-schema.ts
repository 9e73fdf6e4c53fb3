import { describe } from './schema-node.js';
import type { Schema } from './schema-problem.js';

// Google's Schema object (a subset of OpenAPI 3.0): a request with another field is refused, and so is one that has a field at the wrong type.
const everywhere = ['title', 'description', 'nullable', 'default'];
const byType: Record<string, readonly string[]> = {
  object: ['properties', 'required', 'minProperties', 'maxProperties'],
  array: ['items', 'minItems', 'maxItems'],
  string: ['enum', 'format', 'minLength', 'maxLength', 'pattern'],
  number: ['format', 'minimum', 'maximum'],
  integer: ['format', 'minimum', 'maximum'],
  boolean: [],
};
const formats: Record<string, readonly string[]> = { string: ['date-time', 'enum'], number: ['float', 'double'], integer: ['int32', 'int64'] };
const anyValue = [{ type: 'string' }, { type: 'number' }, { type: 'boolean' }];

/** @param schema without references. @returns undefined for a tool without arguments: an object without properties is refused at the root */
export function geminiSchema(schema: Schema, notes: Set<string>): Schema | undefined {
  return Object.keys(schema.properties as Schema).length === 0 ? undefined : node(schema, '', notes);
}

function node(given: Schema, path: string, notes: Set<string>): Schema {
  const schema = { ...given };
  if (Array.isArray(schema.allOf)) merge(schema, schema.allOf as Schema[]);
  const branches = (schema.anyOf ?? schema.oneOf) as Schema[] | undefined;
  if (Array.isArray(branches)) return union(schema, branches, path, notes);
  const types = typesOf(schema);
  if (types.length > 1) return union(schema, types.map((type) => ({ ...schema, type, description: undefined })), path, notes);
  const [type = 'string'] = types;
  if (types.length === 0) {
    notes.add(`${path}: a value of any type is asked for as text, number or boolean`);
    const [first, ...others] = anyValue;
    return { anyOf: [{ ...first, ...(typeof schema.description === 'string' && { description: schema.description }) }, ...others] };
  }
  return typed(schema, type, path, notes);
}

/** Without `null`, which is no type there. */
function typesOf(schema: Schema): string[] {
  const said = [schema.type ?? []].flat() as string[];
  if (said.includes('null')) schema.nullable = true;
  const types = said.filter((type) => type !== 'null');
  if (types.length > 0) return types;
  if (said.length > 0) return ['string']; // null alone
  if (schema.properties !== undefined) return ['object'];
  if (schema.items !== undefined) return ['array'];
  const values = valuesOf(schema);
  return values ? [...new Set(values.filter((value) => value !== null).map(typeName))] : [];
}

const typeName = (value: unknown): string => (Array.isArray(value) ? 'array' : typeof value);

const valuesOf = (schema: Schema): unknown[] | undefined =>
  schema.const !== undefined ? [schema.const] : Array.isArray(schema.enum) ? (schema.enum as unknown[]) : undefined;

function typed(schema: Schema, type: string, path: string, notes: Set<string>): Schema {
  const told: Schema = { type };
  const keep = [...everywhere, ...(byType[type] ?? [])];
  for (const key of keep) if (schema[key] !== undefined) told[key] = schema[key];
  if (told.format !== undefined && !formats[type]?.includes(told.format as string)) {
    describe(told, `Format: ${String(told.format)}.`);
    delete told.format;
  }
  values(schema, told, type);
  limits(schema, told, type);
  if (type === 'array') told.items = node(schema.items as Schema, `${path}/items`, notes);
  if (type === 'object') properties(told, path, notes);
  const said = new Set([...keep, 'type', 'const', 'enum', 'allOf', 'anyOf', 'oneOf', 'format', 'examples', 'additionalProperties', 'exclusiveMinimum', 'exclusiveMaximum']);
  const lost = Object.keys(schema).filter((key) => schema[key] !== undefined && (!said.has(key) || (key === 'additionalProperties' && isMap(schema[key]))));
  if (lost.length > 0) notes.add(`${path || 'the root'}: ${lost.join(', ')} cannot be said`);
  return told;
}

/** Says something of its values, which a plain `false` does not. */
const isMap = (value: unknown): boolean => typeof value === 'object' && value !== null && Object.keys(value).length > 0;

/** An enum is of texts, none of them empty; other values are told in words. */
function values(schema: Schema, told: Schema, type: string): void {
  const list = valuesOf(schema)?.filter((value) => typeName(value) === (type === 'integer' ? 'number' : type));
  delete told.enum;
  if (!list) return;
  const texts = [...new Set(list.filter((value): value is string => typeof value === 'string' && value !== ''))];
  if (type === 'string' && texts.length > 0 && texts.length === new Set(list).size) told.enum = texts;
  else if (list.length > 0) describe(told, `One of: ${list.map((value) => JSON.stringify(value)).join(', ')}.`);
}

function limits(schema: Schema, told: Schema, type: string): void {
  const { exclusiveMinimum: above, exclusiveMaximum: below } = schema;
  if (typeof above === 'number') {
    if (type === 'integer') told.minimum = Math.max(Math.floor(above) + 1, typeof told.minimum === 'number' ? told.minimum : -Infinity);
    else describe(told, `More than ${above}.`);
  }
  if (typeof below === 'number') {
    if (type === 'integer') told.maximum = Math.min(Math.ceil(below) - 1, typeof told.maximum === 'number' ? told.maximum : Infinity);
    else describe(told, `Less than ${below}.`);
  }
}

/** Without properties a nested object stands alone, and what is required must be among them. */
function properties(told: Schema, path: string, notes: Set<string>): void {
  const entries = Object.entries((told.properties ?? {}) as Record<string, Schema>);
  const required = Array.isArray(told.required) ? told.required.filter((name) => entries.some(([own]) => own === name)) : [];
  delete told.properties;
  delete told.required;
  if (entries.length === 0) return;
  told.properties = Object.fromEntries(entries.map(([name, value]) => [name, node(value, `${path}/properties/${name}`, notes)]));
  if (required.length > 0) told.required = required;
}

/** Where anyOf stands, nothing may stand beside it: words go to the first branch, null to all of them. */
function union(schema: Schema, branches: readonly Schema[], path: string, notes: Set<string>): Schema {
  const { anyOf: _, oneOf: __, description, ...beside } = schema;
  const real = branches.filter((branch) => branch.type !== 'null');
  const nullable = real.length < branches.length || schema.nullable === true || [schema.type].flat().includes('null');
  const around: Schema = Object.fromEntries(Object.entries(beside).filter(([key]) => key !== 'type' || !Array.isArray(schema.type)));
  const told = real.map((branch, at) => {
    const { description: own, ...inner } = branch;
    const both: Schema = { ...around, ...inner, ...joined(around, inner), ...(nullable && { nullable: true }) };
    if (typeof own === 'string') both.description = own;
    if (at === 0 && typeof description === 'string' && description !== own) {
      both.description = description;
      if (typeof own === 'string') describe(both, own);
    }
    return node(both, `${path}/anyOf/${at}`, notes);
  });
  const flat = told.flatMap((one) => (Array.isArray(one.anyOf) ? (one.anyOf as Schema[]) : [one]));
  const distinct = [...new Map(flat.map((one) => [JSON.stringify(one), one])).values()];
  if (distinct.length === 0) return { type: 'string', nullable: true };
  return distinct.length === 1 ? distinct[0]! : { anyOf: distinct };
}

/** Properties of the object around a union belong to each of its branches. */
function joined(around: Schema, inner: Schema): Schema {
  if (around.properties === undefined && around.required === undefined) return {};
  const required = [...((around.required as string[] | undefined) ?? []), ...((inner.required as string[] | undefined) ?? [])];
  return {
    properties: { ...(around.properties as Schema | undefined), ...(inner.properties as Schema | undefined) },
    ...(required.length > 0 && { required: [...new Set(required)] }),
  };
}

function merge(schema: Schema, branches: readonly Schema[]): void {
  delete schema.allOf;
  for (const branch of branches) {
    const { properties: own, required, ...rest } = branch;
    for (const [key, value] of Object.entries(rest)) schema[key] ??= value;
    if (own) schema.properties = { ...(own as Schema), ...(schema.properties as Schema | undefined) };
    if (Array.isArray(required)) schema.required = [...new Set([...((schema.required as string[] | undefined) ?? []), ...(required as string[])])];
  }
  if (schema.allOf) merge(schema, schema.allOf as Schema[]);
}
