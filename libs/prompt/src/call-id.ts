import { createHash } from 'node:crypto';
import type { ModelEntry } from './models.js';

/**
 * The id of a call as this model takes it. The same every time, so that a call and its result find each other and no byte that was sent
 * changes; two calls of a chat do not meet in nine letters.
 */
export function callIdFor(id: string, { callIdLength }: Pick<ModelEntry, 'callIdLength'>): string {
  if (callIdLength === undefined || (id.length === callIdLength && /^[A-Za-z0-9]+$/.test(id))) return id;
  const digest = createHash('sha512').update(id).digest('base64');
  return digest.replace(/[^A-Za-z0-9]/g, '').slice(0, callIdLength); // some 83 of 86 characters are left
}
