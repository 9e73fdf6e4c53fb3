import { standardProblem } from './meta-schema.js';
import { SchemaProblem, type Schema } from './schema-problem.js';
import { resolveRef } from './schema-refs.js';
import { walkSchema, type Walk } from './schema-walk.js';

export type DialectResult = { readonly schema: Schema; readonly notes: readonly string[] } | { readonly problem: string };

/** A tool's definition rides in every request of its chat. */
const maxSchemaCharacters = 64 * 1024;

/**
 * One tool's input schema as chat-completion providers take it, with a note for each thing that was changed: the root is a plain object,
 * every array says what it holds, references are local. A schema that cannot be made so is answered with the problem, and its tool alone
 * stays out; in a request it would fail every chat.
 *
 * What is dropped here only stops being shown to the model; the executor goes on checking arguments against the schema as announced.
 * `refs: 'inline'` is for providers without `$defs`; recursion then ends in a plain object. `$schema`, `$id` and `$comment` go without
 * a note.
 */
export function normaliseSchema(input: unknown, { refs = 'keep' }: { refs?: 'keep' | 'inline' } = {}): DialectResult {
  try {
    const notes = new Set<string>();
    const root = plainCopy(input);
    const walk: Walk = { root, refs, notes, budget: { nodes: 5_000 }, open: [] };
    const schema = walkSchema(objectRoot(root, walk), '', walk) as Schema;
    if (JSON.stringify(schema).length > maxSchemaCharacters) throw tooLong;
    const problem = standardProblem(schema);
    if (problem) return { problem };
    return { schema, notes: [...notes] };
  } catch (failure) {
    if (failure instanceof SchemaProblem) return { problem: failure.message };
    if (failure instanceof RangeError) return { problem: 'The schema nests too deeply; write it flatter.' };
    throw failure;
  }
}

const tooLong = new SchemaProblem(`The schema has more than ${maxSchemaCharacters} characters; describe less, or split the tool.`);

/** Data only, our own copy; `definitions` of older drafts become `$defs`. */
function plainCopy(input: unknown): Schema {
  let text: string | undefined;
  try {
    text = JSON.stringify(input);
  } catch (failure) {
    if (failure instanceof RangeError) throw failure;
    throw new SchemaProblem('The schema is no plain data (it refers to itself or holds a big integer); write cycles as $ref.');
  }
  if (text === undefined || !text.startsWith('{'))
    throw new SchemaProblem('The schema must be a JSON object; describe the arguments as { "type": "object", "properties": … }.');
  if (text.length > maxSchemaCharacters) throw tooLong;
  const { $schema: _, $id: __, $comment: ___, definitions, ...schema } = JSON.parse(text) as Schema;
  if (typeof definitions !== 'object' || definitions === null) return schema;
  return { ...schema, $defs: { ...definitions, ...(schema.$defs as object | undefined) } };
}

// Providers answer 400 to these at the root, and name only the tool's position.
const alternatives = ['anyOf', 'oneOf'] as const;
const conditions = ['not', 'if', 'then', 'else', 'enum', 'const', 'dependentRequired', 'dependentSchemas', 'dependencies'] as const;

function objectRoot(root: Schema, walk: Walk): Schema {
  const { $ref, ...own } = root;
  const schema: Schema = typeof $ref === 'string' ? { ...resolveRef($ref, root), ...own } : own;
  for (const branch of branchesOf(schema.allOf, walk)) mergeInto(schema, branch);
  if (schema.allOf !== undefined) walk.notes.add('allOf at the root was merged into one object');
  delete schema.allOf;
  for (const key of alternatives) {
    const strange = branchesOf(schema[key], walk).flatMap((branch) =>
      Object.keys(propertiesOf(branch)).filter((name) => !Object.hasOwn(propertiesOf(schema), name)),
    );
    if (strange.length > 0)
      throw new SchemaProblem(
        `The root offers alternatives (${key}) with properties of their own (${[...new Set(strange)].join(', ')}); ` +
          'list all properties at the root and let one of them name the kind.',
      );
  }
  for (const key of [...alternatives, ...conditions]) {
    if (schema[key] === undefined) continue;
    delete schema[key];
    walk.notes.add(`${key} at the root is not shown to the model; the executor checks it`);
  }
  const types = [schema.type].flat();
  if (schema.type !== undefined && !types.includes('object'))
    throw new SchemaProblem(`The root is of type ${types.join(' or ')}; providers take an object, so put the value under a property.`);
  delete schema.nullable;
  if (schema.type !== 'object') walk.notes.add('the root was given the type object');
  schema.type = 'object';
  schema.properties ??= {};
  return schema;
}

function branchesOf(list: unknown, walk: Walk): Schema[] {
  if (!Array.isArray(list)) return [];
  const branches = list.filter((branch): branch is Schema => typeof branch === 'object' && branch !== null);
  return branches.map((branch) => (typeof branch.$ref === 'string' ? resolveRef(branch.$ref, walk.root) : branch));
}

const propertiesOf = (schema: Schema): Schema =>
  typeof schema.properties === 'object' && schema.properties !== null ? (schema.properties as Schema) : {};

function mergeInto(schema: Schema, branch: Schema): void {
  const nested = ['allOf', ...alternatives, ...conditions].find((key) => branch[key] !== undefined);
  if (nested) throw new SchemaProblem(`allOf at the root holds ${nested}; write the root as one object.`);
  for (const [name, value] of Object.entries(propertiesOf(branch))) {
    if (Object.hasOwn(propertiesOf(schema), name))
      throw new SchemaProblem(`allOf at the root defines "${name}" twice; write the root as one object.`);
    schema.properties = { ...propertiesOf(schema), [name]: value };
  }
  schema.type ??= branch.type;
  const required = [schema.required ?? [], branch.required ?? []].flat();
  if (required.length > 0) schema.required = [...new Set(required)];
}
