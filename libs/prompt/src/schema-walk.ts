import { modernise } from './schema-node.js';
import { SchemaProblem, type Schema } from './schema-problem.js';
import { pointerParts, resolveRef } from './schema-refs.js';

export interface Walk {
  readonly root: Schema;
  readonly refs: 'keep' | 'inline';
  readonly notes: Set<string>;
  /** Schemas that may still be visited: references into references can grow without end. */
  readonly budget: { nodes: number };
  /** References being inlined, outermost first. */
  readonly open: readonly string[];
}

// Where a JSON Schema (2020-12 and draft-07) holds schemas: one, a list, or a map by names that are no keywords.
const single = [
  'additionalProperties',
  'contains',
  'not',
  'if',
  'then',
  'else',
  'propertyNames',
  'unevaluatedItems',
  'unevaluatedProperties',
];
const lists = ['anyOf', 'oneOf', 'allOf'];
const maps = ['properties', 'patternProperties', '$defs', 'dependentSchemas'];

/** Levels of schemas within schemas. Deeper ones are beyond what models fill in, and near the limits of providers. */
const maxDepth = 24;

/** A copy with every rule below the root applied. Booleans stay where a keyword allows them. */
export function walkSchema(node: unknown, path: string, walk: Walk, depth = 0): unknown {
  if (typeof node === 'boolean') return node;
  if (typeof node !== 'object' || node === null || Array.isArray(node))
    throw new SchemaProblem(`${path || 'The root'} is no schema; write an object with a type.`);
  walk.budget.nodes -= 1;
  if (walk.budget.nodes < 0)
    throw new SchemaProblem('The schema has too many parts; write it smaller or without references into references.');
  if (depth > maxDepth) return tooDeep(path, walk);
  const schema = { ...(node as Schema) };
  if (typeof schema.$ref === 'string') return reference(schema, schema.$ref, path, walk, depth);
  for (const key of ['$comment', '$schema', '$id']) delete schema[key]; // references are local pointers, whatever an inner document calls itself
  if (walk.refs === 'inline') delete schema.$defs; // each use is walked in its place
  modernise(schema, path, walk);
  itemsOf(schema, path, walk);
  const inside = depth + 1;
  for (const key of single) if (schema[key] !== undefined) schema[key] = walkSchema(schema[key], `${path}/${key}`, walk, inside);
  if (schema.items !== undefined) schema.items = filled(walkSchema(schema.items, `${path}/items`, walk, inside));
  for (const key of lists) {
    if (Array.isArray(schema[key]))
      schema[key] = schema[key].map((branch: unknown, at) => filled(walkSchema(branch, `${path}/${key}/${at}`, walk, inside)));
  }
  for (const key of maps) {
    if (typeof schema[key] === 'object' && schema[key] !== null) schema[key] = walkMap(schema[key] as Schema, `${path}/${key}`, walk, inside);
  }
  return schema;
}

function tooDeep(path: string, walk: Walk): Schema {
  if (walk.open.length === 0) throw new SchemaProblem(`The schema nests more than ${maxDepth} levels, at ${path}; write it flatter.`);
  walk.notes.add(`${path}: references nest more than ${maxDepth} levels, and end here in a plain object`);
  return { type: 'object' };
}

function walkMap(map: Schema, path: string, walk: Walk, depth: number): Schema {
  const walked: [string, unknown][] = [];
  for (const [name, value] of Object.entries(map)) {
    if (value === false) walk.notes.add(`${path}/${name} allows nothing and is not shown to the model`);
    else walked.push([name, filled(walkSchema(value, `${path}/${name}`, walk, depth))]);
  }
  return Object.fromEntries(walked);
}

/** Providers want an object where JSON Schema also takes `true`. */
const filled = (schema: unknown): unknown => (typeof schema === 'boolean' ? {} : schema);

/** An array without `items` is refused by providers, a tuple by most. */
function itemsOf(schema: Schema, path: string, walk: Walk): void {
  const tuple = Array.isArray(schema.items) ? schema.items : Array.isArray(schema.prefixItems) ? schema.prefixItems : undefined;
  if (tuple) {
    delete schema.prefixItems;
    delete schema.additionalItems;
    schema.items = tuple.length > 0 ? { anyOf: tuple } : {};
    walk.notes.add(`${path || 'the root'}: the positions of the list are not shown to the model, only what may stand in it`);
  } else if ([schema.type].flat().includes('array') && schema.items === undefined) {
    schema.items = {};
    walk.notes.add(`${path || 'the root'}: the list was given items of any kind`);
  }
}

function reference(schema: Schema, ref: string, path: string, walk: Walk, depth: number): unknown {
  const target = resolveRef(ref, walk.root); // also proves that it leads somewhere
  const parts = pointerParts(ref);
  const stays = walk.refs === 'keep' && (parts.length === 0 || (parts.length === 2 && parts[0] === '$defs'));
  const { $ref: _, ...beside } = schema;
  if (stays) return { ...beside, $ref: ref.replace(/^#\/definitions\//, '#/$defs/') };
  if (walk.open.includes(ref)) {
    walk.notes.add(`${path}: the recursion of ${ref} ends here in a plain object`);
    return { type: 'object', description: 'The same kind of object as around it.' };
  }
  const { $defs: __, ...resolved } = { ...target, ...beside };
  return walkSchema(resolved, path, { ...walk, open: [...walk.open, ref] }, depth);
}
