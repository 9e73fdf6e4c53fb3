import { createHash } from 'node:crypto';
import type { ToolManifest } from './tool-manifest.js';

/** JSON with the keys of every object sorted, so that equal values have equal text. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item ?? null)).join(',')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null';
  const entries = Object.entries(value).filter(([, item]) => item !== undefined);
  entries.sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${canonicalJson(item)}`).join(',')}}`;
}

/**
 * The digest that an operator approves. The executor sends it and the registry counts it again: a digest that does
 * not belong to the announced manifest would approve one schema and run another.
 *
 * @returns lower-case hexadecimal SHA-256 over name, profile, effect, description and input schema
 */
export function manifestDigest(tool: Omit<ToolManifest, 'schemaDigest' | 'timeoutMs'>): string {
  const { name, profile, effect, description, inputSchema } = tool;
  return createHash('sha256').update(canonicalJson({ name, profile, effect, description, inputSchema })).digest('hex');
}
