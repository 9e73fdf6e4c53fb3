/** Hebrew, Arabic and their relatives with their presentation forms: the blocks that Unicode reserves for right-to-left. */
const rtl = '\\u0590-\\u08ff\\ufb1d-\\ufdff\\ufe70-\\ufeff\\u{10800}-\\u{10fff}\\u{1e800}-\\u{1eeff}';

const rtlCharacter = new RegExp(`[${rtl}]`, 'u');
/** From a right-to-left character to the last one before any other letter: blanks and digits between belong to it. */
const rtlSpan = new RegExp(`([${rtl}](?:[${rtl}\\P{L}]*[${rtl}])?)`, 'u');

/** Does the text read from the right? Decided by its first letter, as in rule P2 of Unicode's bidi algorithm. */
export const isRightToLeft = (text: string): boolean => rtlCharacter.test(/\p{L}/u.exec(text)?.[0] ?? '');

/** The option of a Word paragraph; left out where it is the default, which halves the markup of long tables. */
export const paragraphDirection = (text: string): { bidirectional?: true } => (isRightToLeft(text) ? { bidirectional: true } : {});

/** Cuts text where its direction changes; Word wants each direction in a run of its own. */
export const splitByDirection = (text: string): { text: string; rightToLeft: boolean }[] =>
  text
    .split(rtlSpan)
    .filter((part) => part !== '')
    .map((part) => ({ text: part, rightToLeft: rtlCharacter.test(part) }));
