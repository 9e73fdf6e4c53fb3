import { countTokens as countExactly } from 'gpt-tokenizer/encoding/o200k_base';

// The tokenizer takes quadratic time in the length of one unbroken run: 150,000 Chinese characters took 80 seconds. Such runs are
// counted in slices, which may add a token or two a slice; prose has none.
const longRun = /(?<!\S)\S{257,}|(?<!\s)\s{257,}/gu; // looking back keeps the search itself linear
const slice = /[^]{1,256}/gu; // code points

// Texts of a user may hold marks like <|endoftext|>; they are text.
const asText = { disallowedSpecial: new Set<string>() };

// Prefixes, instructions and schemas come back in every request. In characters, over all remembered texts.
const memoFrom = 200;
const memoCapacity = 4_000_000;

const memo = new Map<string, number>();
let memoSize = 0;

/** Tokens of a text in o200k_base. Linear in its length; long texts are remembered, the least lately used forgotten first. */
export function countTokens(text: string): number {
  if (text.length < memoFrom) return count(text);
  const known = memo.get(text);
  const tokens = known ?? count(text);
  if (known === undefined) memoSize += text.length;
  else memo.delete(text);
  memo.set(text, tokens);
  for (const oldest of memo.keys()) {
    if (memoSize <= memoCapacity) break;
    memo.delete(oldest);
    memoSize -= oldest.length;
  }
  return tokens;
}

function count(text: string): number {
  let tokens = 0;
  let from = 0;
  for (const run of text.matchAll(longRun)) {
    tokens += countExactly(text.slice(from, run.index), asText);
    for (const [part] of run[0].matchAll(slice)) tokens += countExactly(part, asText);
    from = run.index + run[0].length;
  }
  return tokens + countExactly(text.slice(from), asText);
}
