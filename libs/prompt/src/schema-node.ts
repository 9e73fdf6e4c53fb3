import type { Schema } from './schema-problem.js';
import type { Walk } from './schema-walk.js';

/** Of JSON Schema (2020-12, validation 7.3) and of OpenAPI; some providers refuse a request for any other. */
const knownFormats = new Set([
  ...['date-time', 'date', 'time', 'duration', 'email', 'idn-email', 'hostname', 'idn-hostname', 'ipv4', 'ipv6', 'uuid', 'regex'],
  ...['uri', 'uri-reference', 'iri', 'iri-reference', 'uri-template', 'json-pointer', 'relative-json-pointer'],
  ...['int32', 'int64', 'float', 'double', 'byte', 'binary', 'password'],
]);

/** Words of older drafts and of OpenAPI 3.0 as JSON Schema 2020-12 has them; a format that nobody knows becomes words. Changes `schema`. */
export function modernise(schema: Schema, path: string, walk: Walk): void {
  const place = path || 'the root';
  const { format } = schema;
  if (format !== undefined && !(typeof format === 'string' && knownFormats.has(format))) {
    delete schema.format;
    if (typeof format === 'string' && format !== '') describe(schema, `Format: ${format}.`);
    walk.notes.add(`${place}: the format ${JSON.stringify(format)} is told in the description, since providers do not know it`);
  }
  for (const [bound, exclusive] of bounds) {
    if (typeof schema[exclusive] !== 'boolean') continue;
    if (schema[exclusive] && typeof schema[bound] === 'number') {
      schema[exclusive] = schema[bound];
      delete schema[bound];
    } else delete schema[exclusive];
  }
  if (schema.nullable === true && schema.type !== undefined) schema.type = [...new Set([schema.type, 'null'].flat())];
  if (schema.nullable === true && Array.isArray(schema.enum) && !schema.enum.includes(null)) schema.enum = [...(schema.enum as unknown[]), null];
  if (typeof schema.nullable === 'boolean') delete schema.nullable;
  if (typeof schema.required === 'boolean') {
    delete schema.required; // of a property in draft 3; the object lists what it requires
    walk.notes.add(`${place}: "required" stands at the object as a list, and is not shown here`);
  }
  if (Array.isArray(schema.required)) schema.required = [...new Set(schema.required)];
}

const bounds = [
  ['minimum', 'exclusiveMinimum'],
  ['maximum', 'exclusiveMaximum'],
] as const;

/** Adds a sentence to what a model reads of this place. Changes `schema`. */
export function describe(schema: Schema, sentence: string): void {
  const before = typeof schema.description === 'string' ? schema.description.trim() : '';
  schema.description = before === '' ? sentence : `${before}${/[.!?]$/.test(before) ? '' : '.'} ${sentence}`;
}
