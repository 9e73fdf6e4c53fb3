import type { ToolManifest } from '@skillgate/contracts/tool-manifest';
import { normaliseSchema, type DialectResult } from '@skillgate/prompt/schema-dialect';
import { LRUCache } from 'lru-cache';

type Described = Pick<ToolManifest, 'schemaDigest' | 'inputSchema'>;

const known = new LRUCache<string, DialectResult>({ max: 2_000 });

/** What model providers make of an announced schema. The key is the digest: count it before you believe an announcement. */
export function schemaVerdict({ schemaDigest, inputSchema }: Described): DialectResult {
  let verdict = known.get(schemaDigest);
  if (!verdict) known.set(schemaDigest, (verdict = normaliseSchema(inputSchema)));
  return verdict;
}

/**
 * The schema as a model gets it. An operator approves the announced one, and the executor checks arguments against that.
 * A tool whose schema has a problem is quarantined and never shown.
 */
export function shownSchema(tool: Described): Described['inputSchema'] {
  const verdict = schemaVerdict(tool);
  return 'schema' in verdict ? verdict.schema : tool.inputSchema;
}
