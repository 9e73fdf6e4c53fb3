import { geminiSchema } from './gemini-schema.js';
import { grammarSchema } from './grammar-schema.js';
import { SchemaProblem, type Schema } from './schema-problem.js';
import { walkSchema, type Walk } from './schema-walk.js';

/**
 * How providers take a tool's schema. `openai`: JSON Schema with an object at its root. `anthropic`: the same, with a rule for the names of
 * arguments. `gemini`: a subset of OpenAPI 3.0. `grammar`: what servers of local models make a grammar of; the careful default.
 */
export const dialectNames = ['openai', 'anthropic', 'gemini', 'grammar'] as const;
export type DialectName = (typeof dialectNames)[number];

/** `schema` is absent where a tool without arguments must have none. */
export type Spoken = { readonly schema?: Schema; readonly notes: readonly string[] } | { readonly problem: string };

/** A schema that `normaliseSchema` gave, as one family of providers takes it: what cannot be said there is told in words, with a note. */
export function speak(dialect: DialectName, schema: Schema): Spoken {
  const notes = new Set<string>();
  try {
    const spoken = words[dialect](schema, notes);
    if (spoken && JSON.stringify(spoken).length > maxCharacters)
      throw new SchemaProblem(`Without references the schema has more than ${maxCharacters} characters; describe less, or split the tool.`);
    return { ...(spoken && { schema: spoken }), notes: [...notes] };
  } catch (failure) {
    if (failure instanceof SchemaProblem) return { problem: failure.message };
    throw failure;
  }
}

const maxCharacters = 64 * 1024;

const words: Record<DialectName, (schema: Schema, notes: Set<string>) => Schema | undefined> = {
  openai: (schema) => schema,
  anthropic: (schema, notes) => namedArguments(schema, notes),
  gemini: (schema, notes) => geminiSchema(inlined(schema, notes), notes),
  grammar: (schema, notes) => grammarSchema(inlined(schema, notes), notes) as Schema,
};

/** Without `$ref` and `$defs`; recursion ends in a plain object. */
function inlined(schema: Schema, notes: Set<string>): Schema {
  const walk: Walk = { root: schema, refs: 'inline', notes, budget: { nodes: 5_000 }, open: [] };
  return walkSchema(schema, '', walk) as Schema;
}

const argumentName = /^[a-zA-Z0-9_.-]{1,64}$/; // as the Messages API says in its error

/** A request with another name among the arguments of any tool is refused whole. */
function namedArguments(schema: Schema, notes: Set<string>): Schema {
  const properties = schema.properties as Schema;
  const strange = Object.keys(properties).filter((name) => !argumentName.test(name));
  if (strange.length === 0) return schema;
  const needed = strange.find((name) => Array.isArray(schema.required) && schema.required.includes(name));
  if (needed !== undefined)
    throw new SchemaProblem(`The argument ${JSON.stringify(needed.slice(0, 100))} is required and its name is not 1 to 64 of letters, digits, "_", "." and "-"; rename it.`);
  for (const name of strange) notes.add(`the argument ${JSON.stringify(name.slice(0, 100))} is not shown, since its name is not allowed there`);
  return { ...schema, properties: Object.fromEntries(Object.entries(properties).filter(([name]) => argumentName.test(name))) };
}
