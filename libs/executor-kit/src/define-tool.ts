import { manifestDigest } from '@skillgate/contracts/manifest-digest';
import { toolManifest } from '@skillgate/contracts/tool-manifest';
import type { ToolManifest } from '@skillgate/contracts/tool-manifest';
import type { ToolEffect } from '@skillgate/contracts/words';
import { z } from 'zod';
import type { ToolContext } from './tool-context.js';
import type { JsonSchema } from './json-schema.js';
import { compileArguments } from './validate-arguments.js';
import { type CheckedOutput, compileOutput } from './validate-output.js';

type InputOf<S> = S extends z.ZodType ? z.output<S> : JsonSchema;

/** What an author writes. `input` is the only schema: the model's definition and the check come from it. */
export interface ToolDefinition<S extends z.ZodType | JsonSchema, O> {
  /** `<family>_<verb>[_<object>]`, at most 64 of `[a-z0-9_]`. */
  name: string;
  /** The bundle that a skill opens. */
  profile: string;
  /** `read` may be repeated; `write` changes the account's own things; `external` is seen outside. */
  effect: ToolEffect;
  /** Written for a model: what, when, and what not for. At most 1024 characters. */
  description: string;
  /** A zod object (use `z.strictObject`, so that a misspelt field is told) or a JSON Schema with an object at its root. */
  input: S;
  /** Checked after the tool ran; an answer that does not fit is the executor's fault, not the model's. */
  output?: z.ZodType<O> | JsonSchema;
  /** Longest run in milliseconds, at most 600 000. */
  timeoutMs: number;
  execute(input: InputOf<S>, context: ToolContext): Promise<O>;
}

/** A tool, checked and ready to serve. */
export interface Tool {
  readonly manifest: ToolManifest;
  /** The check of what `run` gave, where the tool has a schema for it. */
  readonly checkOutput?: (output: unknown) => CheckedOutput;
  /** Arguments as the tool sees them (defaults applied); throws the refusal `invalid-arguments`. */
  decode(args: JsonSchema): unknown;
  run(input: unknown, context: ToolContext): Promise<unknown>;
}

/** @throws Error naming the tool and the rule that its definition breaks. Sources: the providers' own schema rules. */
export function defineTool<S extends z.ZodType | JsonSchema, O>(definition: ToolDefinition<S, O>): Tool {
  const { name, profile, effect, description, timeoutMs, input } = definition;
  const inputSchema: JsonSchema = input instanceof z.ZodType ? jsonSchemaOf(input) : (input as JsonSchema);
  const problem = schemaProblem(inputSchema);
  if (problem) throw new Error(`tool "${name}": ${problem}`);

  const described = { name, profile, effect, description, inputSchema };
  const manifest = toolManifest.safeParse({ ...described, timeoutMs, schemaDigest: manifestDigest(described) });
  if (!manifest.success) throw new Error(`tool "${name}": ${z.prettifyError(manifest.error)}`);

  const { output } = definition;
  return {
    manifest: manifest.data,
    checkOutput: output && naming(name, 'output', () => compileOutput(output)),
    decode: naming(name, 'input', () => compileArguments(name, inputSchema, input instanceof z.ZodType ? input : undefined)),
    run: (decoded, context) => definition.execute(decoded as InputOf<S>, context),
  };
}

/** What the checker says of a schema that is none does not name the tool. */
function naming<T>(tool: string, side: 'input' | 'output', compile: () => T): T {
  try {
    return compile();
  } catch (cause) {
    throw new Error(`tool "${tool}": the ${side} schema is no JSON Schema of draft 2020-12: ${(cause as Error).message}`, { cause });
  }
}

function jsonSchemaOf(schema: z.ZodType): JsonSchema {
  const { $schema: _draft, ...json } = z.toJSONSchema(schema, {
    io: 'input', // with `output`, a field that has a default would stand as required
    override: ({ jsonSchema }) => {
      // zod writes the safe-integer bounds into every integer: words for the model to read, with nothing said
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
    },
  });
  return json;
}

/** Providers refuse the whole request for one such tool, so it must not get as far as the registry. */
function schemaProblem(schema: JsonSchema): string | undefined {
  if (schema.type !== 'object') return 'the input schema must have "type": "object" at its root';
  const choice = ['anyOf', 'oneOf', 'allOf', 'not', 'enum'].find((word) => word in schema);
  if (choice) return `"${choice}" at the root of the input schema is refused by model providers; check it inside the tool`;
  return arrayProblem(schema, 'input');
}

function arrayProblem(node: unknown, path: string): string | undefined {
  if (typeof node !== 'object' || node === null) return undefined;
  const { type } = node as JsonSchema;
  const isArray = type === 'array' || (Array.isArray(type) && type.includes('array'));
  if (isArray && !('items' in node) && !('prefixItems' in node)) return `the array at ${path} has no "items"; providers refuse that`;
  for (const [key, child] of Object.entries(node)) {
    if (key === 'enum' || key === 'const' || key === 'default' || key === 'examples') continue; // data, not schema
    const problem = arrayProblem(child, `${path}.${key}`);
    if (problem) return problem;
  }
  return undefined;
}
