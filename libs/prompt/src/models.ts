import { parseDocument } from 'yaml';
import { z } from 'zod';
import { dialectNames } from './dialects.js';

/** Options of a request that some endpoints refuse; see models.yaml. */
export const optionNames = [
  ...(['temperature', 'top_p', 'stop', 'seed', 'presence_penalty', 'frequency_penalty', 'logit_bias', 'response_format'] as const),
  ...(['parallel_tool_calls', 'reasoning_effort', 'verbosity', 'tool_choice'] as const),
] as const;

/** US dollars a million tokens. */
const prices = z.strictObject({ input: z.number().nonnegative(), cachedInput: z.number().nonnegative(), output: z.number().nonnegative() });

const traits = {
  contextTokens: z.number().int().positive(),
  maxOutputTokens: z.number().int().positive(),
  usesTools: z.boolean(),
  /** May the model ask for several calls in one answer? */
  parallelCalls: z.boolean(),
  /** Where the instructions of a loaded skill go: a system message of their own, or the answer to `load_skill`. */
  instructions: z.enum(['system-message', 'tool-result']),
  /** `expand`: the tools array grows. `dispatch`: it is constant, and opened tools are called through `call_tool`. */
  plan: z.enum(['expand', 'dispatch']),
  /** How its endpoint takes schemas of tools; `grammar` unless given, which is what every server takes. */
  dialect: z.enum(dialectNames).optional(),
  /** Does the endpoint take `prompt_cache_key`? */
  cacheKey: z.boolean(),
  /** Null when not known for sure. */
  prices: prices.nullable(),
  /** Does it look at images? Without it, a result says in words what it shows. */
  images: z.boolean().optional(),
  /** Ids of calls are letters and digits, exactly so many; without it, any id will do. */
  callIdLength: z.number().int().min(8).max(40).optional(),
  /** Options of a request that the endpoint refuses. */
  refuses: z.array(z.enum(optionNames)).optional(),
  /** Fields of its answers and calls that it wants back as they were. */
  keeps: z.array(z.string().regex(/^[a-z_]{1,64}$/)).optional(),
};

const entry = z.union([z.strictObject({ id: z.string().min(1), ...traits }), z.strictObject({ match: z.string().min(1), ...traits })]);
const file = z.strictObject({ models: z.array(entry) });

export type ExposurePlan = 'expand' | 'dispatch';
export type ModelEntry = z.infer<z.ZodObject<{ id: z.ZodString } & typeof traits>>;

export interface Models {
  /** By id, in the order of the file: what a list of models may name. */
  readonly entries: ReadonlyMap<string, ModelEntry>;
  readonly patterns: readonly { readonly fits: RegExp; readonly traits: Omit<ModelEntry, 'id'> }[];
}

/** The file that the house ships; the caller reads it. */
export const modelsFile = new URL('../models.yaml', import.meta.url);

/** What any server that speaks the protocol can be expected to take. */
const careful: Omit<ModelEntry, 'id'> = {
  contextTokens: 32_768,
  maxOutputTokens: 4_096,
  usesTools: true,
  parallelCalls: false,
  instructions: 'tool-result',
  plan: 'expand',
  cacheKey: false,
  prices: null,
};

/** Reads the text of a models file. Throws an Error that names the entry, the field and what is wrong. */
export function loadModels(yaml: string): Models {
  const document = parseDocument(yaml, { prettyErrors: true });
  if (document.errors[0]) throw new Error(`The models file is not valid YAML: ${document.errors[0].message.split('\n', 1)[0]}`);
  const content = document.toJS({ maxAliasCount: 0 }) as { models?: { id?: unknown; match?: unknown }[] } | null;
  const parsed = file.safeParse(content);
  if (!parsed.success) throw new Error(`The models file is wrong at ${explain(parsed.error, content)}`);
  const entries = new Map<string, ModelEntry>();
  const patterns: { fits: RegExp; traits: Omit<ModelEntry, 'id'> }[] = [];
  for (const model of parsed.data.models) {
    if ('match' in model) {
      const { match, ...rest } = model;
      patterns.push({ fits: globToRegExp(match), traits: rest });
    } else if (entries.has(model.id)) throw new Error(`The models file names "${model.id}" twice; keep one entry.`);
    else entries.set(model.id, model);
  }
  return { entries, patterns };
}

/** The entry of a model: by id, by the first pattern that fits, or the careful default. Never fails. */
export function modelEntry(models: Models, id: string): ModelEntry {
  const known = models.entries.get(id);
  if (known) return known;
  return { id, ...(models.patterns.find(({ fits }) => fits.test(id))?.traits ?? careful) };
}

/** `*` stands for any run of characters; everything else for itself, in either case. */
const globToRegExp = (glob: string): RegExp =>
  new RegExp(
    `^${glob
      .split(/\*+/)
      .map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
      .join('.*')}$`,
    'is',
  );

function explain({ issues }: z.ZodError, content: { models?: { id?: unknown; match?: unknown }[] } | null): string {
  const [issue] = issues;
  const index = issue?.path[1];
  const model = typeof index === 'number' && Array.isArray(content?.models) ? content.models[index] : undefined;
  const name = model?.id ?? model?.match ?? index ?? 'the top';
  // A union reports both branches; the one that fits the entry's own kind tells more.
  const branch = issue?.code === 'invalid_union' ? (issue.errors[model?.match === undefined ? 0 : 1] ?? []) : issue ? [issue] : [];
  const details = branch.map(
    ({ path, message }) => `${path.filter((part) => part !== 'models' && part !== index).join('.') || 'entry'}: ${message}`,
  );
  return `${String(name)}: ${details.join('; ')}`;
}
