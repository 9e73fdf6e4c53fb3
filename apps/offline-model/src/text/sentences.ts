/** A full stop after these ends no sentence. Lower case, without the stop. */
const abbreviations = new Set(
  (
    'mr mrs ms dr prof st vs etc e.g i.e cf no nos fig figs vol pp ed eds approx dept est inc ' +
    'ltd co corp jr sr jan feb mar apr jun jul aug sep sept oct nov dec z.b u.a d.h bzw ca'
  ).split(' '),
);

/** Sentences of one paragraph, in order; nothing is dropped, so joined by spaces they are the paragraph again. */
export function splitSentences(paragraph: string): string[] {
  const text = paragraph.replace(/\s+/g, ' ').trim();
  const sentences: string[] = [];
  let start = 0;
  // An ending is a stop with closing marks and a space; scripts without spaces need none.
  for (const match of text.matchAll(/[.!?…]+["'”’)\]*_`]*(?=\s|$)\s*|[。！？]+[」』”’）]*/g)) {
    const end = match.index + match[0].length;
    if (end < text.length && !endsHere(text.slice(start, match.index), match[0], text.slice(end))) continue;
    sentences.push(text.slice(start, end).trim());
    start = end;
  }
  if (start < text.length) sentences.push(text.slice(start).trim());
  return sentences.filter((sentence) => sentence !== '');
}

function endsHere(before: string, ending: string, after: string): boolean {
  if (/^[。！？]/.test(ending)) return true;
  // The next sentence begins with a capital, a digit, an opening mark, or a script without case.
  if (!/^["'“‘(\[*_`]*[\p{Lu}\p{Lo}\p{N}`]/u.test(after)) return false;
  if (!ending.startsWith('.') || ending.startsWith('..')) return true;
  const word = /(\S+)$/.exec(before)?.[1]?.replace(/^[("'“]+/, '') ?? '';
  if (abbreviations.has(word.toLowerCase())) return false;
  // An initial ("J. Smith") or the number of a list ("1. Open").
  return !/^\p{Lu}$/u.test(word) && !/^\d{1,2}$/.test(before.trim());
}

/** Does it stand on its own: a beginning, an end, closed brackets and quotes? */
export function isWholeSentence(text: string): boolean {
  if (!/^["'“‘(]?[\p{Lu}\p{Lo}\p{N}`]/u.test(text) || !/[.!?。！？…]["'”’)\]]*$/u.test(text)) return false;
  const count = (pattern: RegExp): number => text.match(pattern)?.length ?? 0;
  const even = (pattern: RegExp): boolean => count(pattern) % 2 === 0;
  return count(/[(\[]/g) === count(/[)\]]/g) && even(/"/g) && even(/`/g) && count(/“/g) === count(/”/g);
}
