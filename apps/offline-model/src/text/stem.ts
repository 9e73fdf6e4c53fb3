const vowel = /[aeiouy]/;

/**
 * A light English stemmer: enough for "summaries", "summarise" and "summarising" to meet. It need not give words, only
 * the same string for forms of one word; it errs on the side of parting.
 */
export function stem(word: string): string {
  if (word.length <= 3 || !/^[a-z'’]+$/.test(word)) return word;
  let out = word.replace(/['’]s?$/, '');
  out = dropPlural(out);
  out = dropEnding(out);
  // A silent "e" and "y" against "i": "note", "noting"; "summary", "summaries".
  if (out.length > 4) out = out.replace(/(?:i[sz]e?|[eyi])$/, '');
  else if (out.length === 4) out = out.replace(/e$/, '');
  return out;
}

function dropPlural(word: string): string {
  if (word.endsWith('ies') && word.length > 4) return `${word.slice(0, -3)}y`;
  if (/(?:ss|x|ch|sh)es$/.test(word)) return word.slice(0, -2);
  if (word.endsWith('s') && !/(?:ss|us|is)$/.test(word)) return word.slice(0, -1);
  return word;
}

function dropEnding(word: string): string {
  const match = /^(.{3,}?)(?:ing|ed)$/.exec(word);
  if (!match || !vowel.test(match[1]!)) return word;
  // "planning" -> "plann" -> "plan", but "call" and "miss" keep both.
  return match[1]!.replace(/([bdgmnprt])\1$/, '$1');
}
