import { z } from 'zod';

/** PostgreSQL keeps neither U+0000 nor half of a surrogate pair, and its complaint would come too late to name the field. */
const unkeepable = /[\0\p{Surrogate}]/u; // with the flag u a whole pair is one character and no surrogate

export const isPlainText = (text: string): boolean => !unkeepable.test(text);

/** A text that is stored or shown, of `min` to `max` UTF-16 units: whatever a person writes, without U+0000 and broken characters. */
export const plainText = (min: number, max: number) =>
  z.string().min(min).max(max).refine(isPlainText, 'holds U+0000 or half of a surrogate pair; leave that character out');

/** What people call an account, a user, a key. */
export const displayName = plainText(1, 100);
