/** Text that rendered Markdown does not show, or not where a reviewer looks. Offsets in UTF-16 units. */
export interface UnshownText {
  readonly rule: 'comment' | 'hidden-html' | 'far-right';
  readonly message: string;
  readonly index: number;
}

// A link definition that links to nothing: a comment that leaves no trace in the page, as in [//]: # (text).
const commentDefinition = /^ {0,3}\[[^\]\n]{0,200}\]:[ \t]*(?:#|<#?>)[ \t]*["'(]([^\n]*)/gm;
const tag = /<[a-z][^<>]{0,2000}>/giu; // opening tags; the limit keeps the search linear
const unseen =
  /[\s"';](?:hidden(?=[\s=>/])|(?:display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0(?![.\d]*[1-9])|opacity\s*:\s*0(?![.\d]*[1-9])|color\s*:\s*(?:white|transparent|#fff(?:fff)?)\b))/iu;
const blanks = 200; // columns; no editor and no review page is so wide
const farRight = new RegExp(`(?<![^\\S\\n])[^\\S\\n]{${blanks},}(?=\\S)`, 'gu');

export function findUnshown(text: string): UnshownText[] {
  const comments = Array.from(text.matchAll(commentDefinition), (match) => ({
    rule: 'comment' as const,
    message: `A link definition that shows nothing serves as a comment: ${JSON.stringify(match[1]!.slice(0, 200))}`,
    index: match.index,
  }));
  const html = Array.from(text.matchAll(tag))
    .filter(([found]) => unseen.test(found))
    .map((match) => ({ rule: 'hidden-html' as const, message: `HTML that a page does not show: ${JSON.stringify(match[0].slice(0, 100))}`, index: match.index }));
  const right = Array.from(text.matchAll(farRight), (match) => ({
    rule: 'far-right' as const,
    message: `Text goes on after ${match[0].length} blanks; a reviewer does not see it in a window.`,
    index: match.index + match[0].length,
  }));
  return [...comments, ...html, ...right].sort((a, b) => a.index - b.index);
}
