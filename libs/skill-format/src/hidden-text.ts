/** A run of characters that a reader does not see and a model reads. */
export interface HiddenRun {
  readonly kind: 'control' | 'zero-width' | 'bidi' | 'tag' | 'variation';
  /** Offset of the run in UTF-16 units. */
  readonly index: number;
  /** Code points as `U+200B`, the first few. */
  readonly codes: string;
  /** What tag characters spell, for the reviewer. */
  readonly decoded?: string;
}

// Legitimate uses, blanked before the search: sub-region flags (a black flag, up to six tags, the cancel tag; UTS 51)
// and joiners between two pictographs, as in a family or a woman at a laptop.
const flag = /\u{1F3F4}[\u{E0020}-\u{E007E}]{1,6}\u{E007F}/gu;
const emojiJoiner = /(?<=[\p{Extended_Pictographic}\uFE0F\u{1F3FB}-\u{1F3FF}])\u200D(?=\p{Extended_Pictographic})/gu;

const kinds: readonly (readonly [HiddenRun['kind'], RegExp])[] = [
  ['control', /(?:(?![\n\t])\p{Cc}|[\u2028\u2029])+/gu], // C0, C1, line and paragraph separators
  // Soft hyphen, joiners, fillers, annotation marks.
  ['zero-width', /[\u00AD\u034F\u115F\u1160\u180E\u200B-\u200D\u2060-\u2064\u3164\uFEFF\uFFA0\uFFF9-\uFFFB]+/gu],
  ['bidi', /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]+/gu], // marks, embeddings, overrides, isolates
  ['tag', /[\u{E0000}-\u{E007F}]+/gu], // an invisible copy of ASCII
  ['variation', /[\uFE00-\uFE0F\u{E0100}-\u{E01EF}]{2,}/gu], // one selector changes a glyph; several in a row carry bytes
];

/** Every hidden run, in order. Line feeds and tabs count as visible. */
export function findHidden(text: string): HiddenRun[] {
  const blank = (match: string) => ' '.repeat(match.length); // keeps offsets
  const searched = text.replace(flag, blank).replace(emojiJoiner, blank);
  return kinds
    .flatMap(([kind, pattern]) => Array.from(searched.matchAll(pattern), (match) => runOf(kind, match[0], match.index)))
    .sort((a, b) => a.index - b.index);
}

/** A run in words: its kind, its first code points and, for tag characters, what they spell. */
export const describeHidden = ({ kind, codes, decoded }: HiddenRun): string =>
  `${kind}, ${codes}${decoded ? `, spelling ${JSON.stringify(decoded)}` : ''}`;

function runOf(kind: HiddenRun['kind'], run: string, index: number): HiddenRun {
  const points = Array.from(run, (character) => character.codePointAt(0)!);
  const codes = points.slice(0, 4).map((point) => `U+${point.toString(16).toUpperCase().padStart(4, '0')}`);
  const shown = codes.join(' ') + (points.length > codes.length ? ` and ${points.length - codes.length} more` : '');
  if (kind !== 'tag') return { kind, index, codes: shown };
  const ascii = points.map((point) => point - 0xe0000).filter((point) => point >= 0x20 && point < 0x7f);
  return { kind, index, codes: shown, decoded: String.fromCharCode(...ascii.slice(0, 500)) };
}
