import { contentWords, credentialWords, factWords, keyQualifiers, mark, shapes } from './redact-rules.js';

/** Characters of one text; the tail of a longer one is left out, visibly. */
const longestText = 8_192;
/** Levels of an object; below stands a note. */
const deepest = 8;

/** Replaces what has the shape of a secret. */
export function redactText(text: string): string {
  // Cut before matching, so that a huge text costs little; one that is cut inside still matches.
  let safe = text.length > longestText ? text.slice(0, longestText) : text;
  for (const [shape, replacement] of shapes) safe = safe.replace(shape, replacement);
  return text.length > longestText ? `${safe}… [${text.length - longestText} characters more]` : safe;
}

export type Sealing = 'open' | 'texts' | 'all';

/** What the key alone says: `all` under it is secret, its `texts` are, or it is `open` and only shapes are looked at. */
export function sealingOf(key: string): Sealing {
  const known = sealings.get(key);
  if (known) return known;
  const sealing = readKey(key);
  // Keys come from code, so there are few; a flood of made-up ones must not stay in memory.
  if (sealings.size < 5_000) sealings.set(key, sealing);
  return sealing;
}

const sealings = new Map<string, Sealing>();

function readKey(key: string): Sealing {
  const words = key
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2') // camelCase
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2') // an acronym before a word: APIKey
    .toLowerCase()
    .split(/[^a-z0-9]+/);
  if (words.length > 1 && factWords.has(words.at(-1)!)) return 'open';
  if (words.some((word, n) => credentialWords.has(word) || (word === 'key' && keyQualifiers.has(words[n - 1] ?? '')))) return 'all';
  return words.some((word) => contentWords.has(word)) ? 'texts' : 'open';
}

/** A copy that may be logged or exported: plain data, by key and by shape. Never throws. */
export const redact = (value: unknown): unknown => copy(value, 'open', 0, []);

/** As `redact`, for a value that stands under `key`. */
export const redactUnder = (key: string, value: unknown): unknown => copy(value, sealingOf(key), 0, []);

function copy(value: unknown, sealing: Sealing, depth: number, above: readonly object[]): unknown {
  if (value === null || value === undefined || typeof value === 'boolean') return value;
  if (sealing === 'all') return mark;
  if (typeof value === 'string') return sealing === 'texts' ? mark : redactText(value);
  if (typeof value === 'number') return value;
  if (typeof value !== 'object') return `[${typeof value}]`;
  if (above.includes(value)) return '[circular]';
  if (depth >= deepest) return '[deeper levels left out]';
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  try {
    return copyObject(value, sealing, depth, [...above, value]);
  } catch {
    return '[unreadable: a getter or toJSON threw]';
  }
}

function copyObject(value: object, sealing: Sealing, depth: number, above: readonly object[]): unknown {
  const inside = (each: unknown, own: Sealing) => copy(each, sealing === 'texts' ? 'texts' : own, depth + 1, above);
  if (value instanceof Error || value instanceof DOMException) return copyError(value as Error & Record<string, unknown>, inside);
  if (Array.isArray(value)) return value.map((each) => inside(each, 'open'));
  if (value instanceof Set) return [...value].map((each) => inside(each, 'open'));
  if ('toJSON' in value && typeof value.toJSON === 'function') return inside(value.toJSON(), 'open');
  const entries = value instanceof Map ? [...value].map(([key, each]) => [String(key), each] as const) : Object.entries(value);
  return Object.fromEntries(entries.map(([key, each]) => [key, inside(each, sealingOf(key))]));
}

/** Known fields only: drivers and HTTP clients hang whole requests, parameters included, on their errors. */
function copyError(error: Error & Record<string, unknown>, inside: (each: unknown, own: Sealing) => unknown): unknown {
  const { name, message, stack, code, kind, slug, correlationId, details, cause, errors } = error;
  const facts = { type: name, message, code, kind, slug, correlationId, details, stack, cause, errors };
  const told = Object.entries(facts).filter(([, each]) => each !== undefined && each !== '');
  return Object.fromEntries(told.map(([key, each]) => [key, inside(each, 'open')]));
}
