import { describe } from './schema-node.js';
import type { Schema } from './schema-problem.js';

// llama.cpp makes a grammar of every tool in a request (common/json-schema-to-grammar.cpp) and refuses the request where it cannot: a pattern
// without both anchors or with a class such as \d, a schema that has words and no type. What it does not know beside a type it leaves out.
const unsaid = [
  ...['not', 'if', 'then', 'else', 'patternProperties', 'propertyNames', 'dependentRequired', 'dependentSchemas', 'dependencies'],
  ...['contains', 'minContains', 'maxContains', 'unevaluatedItems', 'unevaluatedProperties'],
];
const anyType = ['string', 'number', 'boolean', 'object', 'null'];
const decisive = ['type', 'enum', 'const', 'anyOf', 'oneOf', 'allOf', 'properties', 'items'];

/** @param given without references */
export function grammarSchema(given: unknown, notes: Set<string>, path = ''): unknown {
  if (typeof given !== 'object' || given === null) return given;
  const schema = { ...(given as Schema) };
  const lost = unsaid.filter((key) => schema[key] !== undefined);
  // A union there stands for the whole schema, so that one that only requires would put the properties out of sight.
  for (const key of ['anyOf', 'oneOf']) if (decisiveBeside(schema) && onlyRestricts(schema[key])) lost.push(key);
  for (const key of lost) delete schema[key];
  if (lost.length > 0) notes.add(`${path || 'the root'}: ${lost.join(', ')} cannot be said in a grammar`);
  if (typeof schema.pattern === 'string' && !plainPattern(schema.pattern)) {
    describe(schema, `Pattern: ${schema.pattern}`);
    notes.add(`${path}: the pattern is told in the description`);
    delete schema.pattern;
  }
  if (!decisive.some((key) => schema[key] !== undefined)) schema.type = anyType;
  if (schema.items !== undefined) schema.items = grammarSchema(schema.items, notes, `${path}/items`);
  if (typeof schema.additionalProperties === 'object') schema.additionalProperties = grammarSchema(schema.additionalProperties, notes, `${path}/additionalProperties`);
  for (const key of ['anyOf', 'oneOf', 'allOf'])
    if (Array.isArray(schema[key])) schema[key] = (schema[key] as unknown[]).map((branch, at) => grammarSchema(branch, notes, `${path}/${key}/${at}`));
  if (schema.properties !== undefined)
    schema.properties = Object.fromEntries(
      Object.entries(schema.properties as Schema).map(([name, value]) => [name, grammarSchema(value, notes, `${path}/properties/${name}`)]),
    );
  return schema;
}

const decisiveBeside = (schema: Schema): boolean => schema.type !== undefined || schema.properties !== undefined;

const onlyRestricts = (branches: unknown): boolean =>
  Array.isArray(branches) && branches.every((branch: Schema) => !decisive.some((key) => branch[key] !== undefined));

/** Anchored at both ends, with no class by letter and no look-around. */
export const plainPattern = (pattern: string): boolean => /^\^.*\$$/s.test(pattern) && !/\\[a-zA-Z]|\(\?/.test(pattern);
