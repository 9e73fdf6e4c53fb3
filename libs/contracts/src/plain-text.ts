import { z } from 'zod';

/** PostgreSQL keeps neither U+0000 nor half of a surrogate pair, and its complaint would come too late to name the field. */
const unkeepable = /[\0\p{Surrogate}]/u; // with the flag u a whole pair is one character and no surrogate

export const isPlainText = (text: string): boolean => !unkeepable.test(text);

/** A text that is stored or shown: whatever a person writes, without U+0000 and broken characters. */
export const keepable = (text: z.ZodString) => text.refine(isPlainText, 'holds U+0000 or half of a surrogate pair; leave that character out');

/** The same of `min` to `max` UTF-16 units. */
export const plainText = (min: number, max: number) => keepable(z.string().min(min).max(max));

/**
 * Scripts in which a joiner between two letters changes how a word is written (Unicode 16, 23.2.1), and emoji that are joined.
 * Anywhere else nobody sees one, and two names that look alike would differ.
 */
const joined = [
  ...['Arabic', 'Syriac', 'Mongolian', 'Devanagari', 'Bengali', 'Gurmukhi', 'Gujarati', 'Oriya', 'Tamil', 'Telugu', 'Kannada', 'Malayalam'],
  ...['Sinhala', 'Khmer', 'Myanmar'],
]
  .map((script) => `\\p{Script=${script}}`)
  .join('');
const pictures = '\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\ufe0f';

/** Line breaks, control characters, directions, and what takes no place on a screen, outside of where a script or an emoji needs it. */
const unseen = new RegExp(
  [
    `(?<=[${joined}\\p{Mark}])[\\u200c\\u200d](?=[${joined}])`,
    `(?<=[${pictures}])\\u200d(?=\\p{Extended_Pictographic})`,
    '(?<=\\p{Emoji})\\ufe0f',
    // What stands before is let through; only this group is a fault.
    '([\\p{Control}\\p{Surrogate}\\p{Line_Separator}\\p{Paragraph_Separator}\\p{Default_Ignorable_Code_Point}\\ufff9-\\ufffb])',
  ].join('|'),
  'gu',
);
/** A blank of any width, a mark without a letter, the empty pattern of Braille: with nothing else, a name looks like none. */
const seen = /[^\p{Separator}\p{Mark}\u2800]/u;

const firstUnseen = (text: string): string | undefined => [...text.matchAll(unseen)].find(([, fault]) => fault !== undefined)?.[1];

const codeOf = (character: string): string => character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0');

/** Why people could not tell this text by looking at it; undefined for one line of characters that are seen. */
export function faultOfName(text: string): string | undefined {
  const fault = firstUnseen(text);
  if (fault !== undefined) return `holds a line break, a control character or one that nobody sees (U+${codeOf(fault)}); leave that character out`;
  if (!seen.test(text.replace(unseen, ''))) return 'holds nothing that can be seen; write at least one letter or digit';
  return undefined;
}

/** Puts `mark` in the place of every character that nobody sees. */
export const showUnseen = (text: string, mark: string): string => text.replace(unseen, (whole, fault) => (fault === undefined ? whole : mark));

/** The same of a text of several lines, which may hold line feeds and tabs. */
export function faultOfText(text: string): string | undefined {
  const fault = firstUnseen(text.replace(/[\n\t]/g, ' '));
  return fault === undefined ? undefined : `holds a control character or one that nobody sees (U+${codeOf(fault)}); leave that character out`;
}

/**
 * A text from outside as one line that a terminal or a reader shows for what it is: whatever would move the cursor, turn the direction
 * or not be seen stands as `\uXXXX`, one for each UTF-16 unit, so that JSON stays the same JSON.
 */
export const escapeUnseen = (text: string): string =>
  text.replace(unseen, (whole, fault: string | undefined) =>
    fault === undefined ? whole : fault.split('').map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`).join(''),
  );

/** What is left of a text from outside as a name; empty where nothing is. */
export const asName = (text: string): string => showUnseen(text, '').trim();

/** A name of 1 to `most` UTF-16 units: one line, all of it to be seen. */
export const nameOfAtMost = (most: number) =>
  z
    .string()
    .min(1)
    .max(most)
    .superRefine((text, context) => {
      const fault = faultOfName(text);
      if (fault !== undefined) context.addIssue(fault);
    });

/** What people call an account, a user, a key, a persona. */
export const displayName = nameOfAtMost(100);
