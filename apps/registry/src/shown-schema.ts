import type { ToolManifest } from '@skillgate/contracts/tool-manifest';
import { dialectNames, speak, type DialectName } from '@skillgate/prompt/dialects';
import { normaliseSchema, type DialectResult } from '@skillgate/prompt/schema-dialect';
import { LRUCache } from 'lru-cache';

type Described = Pick<ToolManifest, 'schemaDigest' | 'inputSchema'>;

const known = new LRUCache<string, DialectResult>({ max: 2_000 });

/** What model providers make of an announced schema. The key is the digest: count it before you believe an announcement. */
export function schemaVerdict({ schemaDigest, inputSchema }: Described): DialectResult {
  let verdict = known.get(schemaDigest);
  if (!verdict) known.set(schemaDigest, (verdict = inEveryDialect(normaliseSchema(inputSchema))));
  return verdict;
}

const models: Record<DialectName, string> = {
  openai: 'models of OpenAI',
  anthropic: 'models of Anthropic',
  gemini: 'Gemini',
  grammar: 'local models',
};

/** A tool that one family of models cannot be told stays out for all: whoever changes the model in mid-chat keeps its tools. */
function inEveryDialect(verdict: DialectResult): DialectResult {
  if ('problem' in verdict) return verdict;
  const notes = [...verdict.notes];
  for (const dialect of dialectNames) {
    const spoken = speak(dialect, verdict.schema);
    if ('problem' in spoken) return { problem: `For ${models[dialect]}: ${spoken.problem}` };
    notes.push(...spoken.notes.map((note) => `for ${models[dialect]} ${note}`));
  }
  return { schema: verdict.schema, notes };
}

/**
 * The schema as a model gets it. An operator approves the announced one, and the executor checks arguments against that.
 * A tool whose schema has a problem is quarantined and never shown.
 */
export function shownSchema(tool: Described): Described['inputSchema'] {
  const verdict = schemaVerdict(tool);
  return 'schema' in verdict ? verdict.schema : tool.inputSchema;
}
