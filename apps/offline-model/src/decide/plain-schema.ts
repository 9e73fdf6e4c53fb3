import type { JsonSchema } from '../protocol/chat-request.js';

/** Follows local references and takes the first way that is not null, so that one type is left to fill. */
export function plainSchema(schema: JsonSchema, root: JsonSchema, hops = 0): JsonSchema {
  if (hops > 8) return {};
  if (typeof schema.$ref === 'string') {
    const target = resolve(schema.$ref, root);
    return target ? plainSchema({ ...target, ...without(schema, '$ref') }, root, hops + 1) : {};
  }
  const ways = [schema.anyOf, schema.oneOf, schema.allOf].find(Array.isArray) as JsonSchema[] | undefined;
  if (ways && ways.length > 0) {
    const way = ways.find((candidate) => candidate.type !== 'null') ?? ways[0]!;
    return plainSchema({ ...without(schema, 'anyOf', 'oneOf', 'allOf'), ...way }, root, hops + 1);
  }
  if (Array.isArray(schema.type)) return { ...schema, type: schema.type.find((type) => type !== 'null') ?? 'null' };
  return schema;
}

function resolve(reference: string, root: JsonSchema): JsonSchema | undefined {
  if (!reference.startsWith('#/')) return undefined;
  let at: unknown = root;
  for (const step of reference.slice(2).split('/')) {
    const key = decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~');
    at = typeof at === 'object' && at !== null ? (at as JsonSchema)[key] : undefined;
  }
  return typeof at === 'object' && at !== null ? (at as JsonSchema) : undefined;
}

function without(schema: JsonSchema, ...keys: string[]): JsonSchema {
  return Object.fromEntries(Object.entries(schema).filter(([key]) => !keys.includes(key)));
}
