import { canonicalJson } from '@skillgate/contracts/manifest-digest';
import type { ToolManifest } from '@skillgate/contracts/tool-manifest';

type Described = Pick<ToolManifest, 'effect' | 'profile' | 'description' | 'inputSchema'>;

/** One place where a manifest is not what was approved; null where there is nothing. */
export interface ManifestChange {
  /** `effect`, `profile`, `description`, or a JSON pointer (RFC 6901) into the input schema. */
  readonly what: string;
  readonly before: string | null;
  readonly after: string | null;
}

/** More would not be read, and a hundred tools must fit one answer. */
const maxChanges = 20;
const maxCharacters = 200;

/** From the approved manifest to the announced one, place by place: what an operator says yes to. */
export function manifestChanges(approved: Described, announced: Described): ManifestChange[] {
  const found: ManifestChange[] = [];
  for (const what of ['effect', 'profile', 'description'] as const) note(found, what, approved[what], announced[what]);
  compare(found, '', approved.inputSchema, announced.inputSchema);
  if (found.length <= maxChanges) return found;
  return [...found.slice(0, maxChanges), { what: `${found.length - maxChanges} more places`, before: null, after: null }];
}

function compare(found: ManifestChange[], at: string, before: unknown, after: unknown): void {
  if (!isObject(before) || !isObject(after)) return note(found, at || '/', before, after);
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)]))
    compare(found, `${at}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`, before[key], after[key]);
}

function note(found: ManifestChange[], what: string, before: unknown, after: unknown): void {
  if (canonicalJson(before) !== canonicalJson(after)) found.push({ what, before: shown(before), after: shown(after) });
}

function shown(value: unknown): string | null {
  if (value === undefined) return null;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > maxCharacters ? `${text.slice(0, maxCharacters)}…` : text;
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);
