// Scripts that put no blanks between words, and Korean, which glues particles to them: pairs of characters stand for words.
const unspaced =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]+/gu;
const word = /[\p{L}\p{M}\p{N}]+/gu;
const firstUnspaced = 0x0e00; // Thai; every script before it has blanks

/**
 * The words of a text in lower case, in order, with compatibility forms made equal; of unspaced scripts each character and
 * each pair of neighbours. Nothing is stemmed or left out here.
 */
export function* wordsOf(text: string): Generator<string> {
  for (const [run] of text.normalize('NFKC').toLowerCase().matchAll(word)) {
    if (isSpaced(run)) yield run;
    else yield* piecesOf(run);
  }
}

function* piecesOf(run: string): Generator<string> {
  let from = 0;
  for (const match of run.matchAll(unspaced)) {
    if (match.index > from) yield run.slice(from, match.index);
    const characters = Array.from(match[0]);
    for (const [at, character] of characters.entries()) {
      yield character;
      if (at + 1 < characters.length) yield character + characters[at + 1]!;
    }
    from = match.index + match[0].length;
  }
  if (from < run.length) yield run.slice(from);
}

function isSpaced(run: string): boolean {
  for (let at = 0; at < run.length; at++) if (run.charCodeAt(at) >= firstUnspaced) return false;
  return true;
}
