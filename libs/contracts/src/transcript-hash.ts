import { createHash } from 'node:crypto';
import type { IncomingMessage } from './calls/orchestrator.js';
import { canonicalJson } from './manifest-digest.js';

/** Whose transcript it is: nobody else's can have the same hash. @param bearer the API key's id, or the subject of the token */
export const transcriptOf = (account: string, user: string, bearer: string): string => hash('', [account, user, bearer]);

/**
 * The hash of a transcript and one more message, lower-case hexadecimal SHA-256. What clients change on the way is left out of it: white
 * space at the ends of a text, text in parts, and how the arguments of a call are written.
 */
export function withMessage(transcript: string, { role, content, calls = [], resultOf }: IncomingMessage): string {
  const parts = typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content;
  const text = parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('').trim();
  const images = parts.flatMap((part) => (part.type === 'image_url' ? [part.image_url.url] : []));
  return hash(transcript, [role, resultOf ?? null, text, images, calls.map((call) => [call.id, call.name, sameArguments(call.arguments)])]);
}

const hash = (before: string, what: unknown): string => createHash('sha256').update(before).update(canonicalJson(what)).digest('hex');

function sameArguments(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
