import type { ErrorObject } from 'ajv';
import type { JsonSchema } from './json-schema.js';

const words: Record<string, string> = {
  string: 'text',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  null: 'null',
};

/** One ajv error in words for a model: which field, what is expected. The value itself is content and stays out. */
export function describeProblem(error: ErrorObject, schema: JsonSchema): string {
  const field = fieldName(error.instancePath);
  const params = error.params as Record<string, unknown>;
  switch (error.keyword) {
    case 'required':
      return missing(error, String(params.missingProperty));
    case 'additionalProperties':
      return unknownField(error, String(params.additionalProperty), schema);
    case 'type':
      return `${field} must be ${expected(params.type)}, not ${kindOf(error.data)}`;
    case 'enum':
      return `${field} must be one of ${(params.allowedValues as unknown[]).map((value) => JSON.stringify(value)).join(', ')}`;
    case 'pattern':
      return `${field} has the wrong form${hint(error.parentSchema as JsonSchema | undefined)}`;
    default:
      return `${field} ${error.message ?? 'is not valid'}`;
  }
}

function missing(error: ErrorObject, name: string): string {
  const holder = error.parentSchema as { properties?: Record<string, JsonSchema> } | undefined;
  const shape = holder?.properties?.[name];
  const wanted = shape?.type ? `; expected ${expected(shape.type)}${hint(shape)}` : hint(shape);
  return `${fieldName(`${error.instancePath}/${name}`)} is missing${wanted}`;
}

function unknownField(error: ErrorObject, name: string, root: JsonSchema): string {
  const holder = (error.parentSchema as JsonSchema | undefined) ?? root;
  const known = Object.keys((holder.properties ?? {}) as object);
  return `${fieldName(`${error.instancePath}/${name}`)} is not an argument; known are ${known.join(', ')}`;
}

const hint = (shape: JsonSchema | undefined): string => (typeof shape?.description === 'string' ? ` (${shape.description})` : '');

const expected = (type: unknown): string =>
  (Array.isArray(type) ? type : String(type).split(',')).map((one) => words[String(one)] ?? String(one)).join(' or ');

const kindOf = (value: unknown): string =>
  value === null ? 'null' : Array.isArray(value) ? 'a list' : (words[typeof value] ?? typeof value);

/** `/rows/0/name` becomes `"rows.0.name"`; a JSON Pointer's escapes are undone (RFC 6901). */
function fieldName(pointer: string): string {
  const path = pointer
    .slice(1)
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  return pointer === '' ? 'the arguments' : `"${path.join('.').slice(0, 100)}"`;
}
