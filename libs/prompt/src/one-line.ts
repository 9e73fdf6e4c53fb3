const lineBreaks = /[\p{Cc}\p{Zl}\p{Zp}]+/gu; // control characters, line and paragraph separators
// Zero-width, bidi and tag characters. The joiners U+200C and U+200D stay: scripts and emoji need them.
const unseen = /[\u00AD\u061C\u180E\u200B\u200E\u200F\u202A-\u202E\u2060-\u2069\uFEFF\uFFF9-\uFFFB\u{E0000}-\u{E007F}]/gu;
const loneSurrogates = /\p{Cs}/gu;

/** Any text as one visible line of valid Unicode. */
export const oneLine = (text: string): string =>
  text.replace(lineBreaks, ' ').replace(unseen, '').replace(loneSurrogates, '\uFFFD').replace(/ {2,}/g, ' ').trim();

/** Text that cannot open or close a mark of ours. */
export const escapeMarks = (text: string): string => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
