import { describeHidden, findHidden } from './hidden-text.js';
import { warning, type Place, type Problem } from './problem.js';

const emptyLines = 50; // enough to push text out of a reviewer's sight, more than any layout needs
const runsShown = 20; // of hidden characters; one is reason enough to look closely

/**
 * Points a reviewer at text that a reader overlooks and a model does not: hidden characters, comments, text far below.
 * A hint, no protection: rights come from profiles and approvals alone. `firstLine` is the line on which `text` begins.
 */
export function scanText(text: string, firstLine = 1): Problem[] {
  const placeOf = placer(text, firstLine);
  const runs = findHidden(text);
  const hidden = runs
    .slice(0, runsShown)
    .map((run) =>
      warning('hidden-text', `Hidden characters (${describeHidden(run)}); a model reads them, a person does not.`, placeOf(run.index)),
    );
  const [next] = runs.slice(runsShown);
  if (next) hidden.push(warning('hidden-text', `Hidden characters go on in ${runs.length - runsShown} more places.`, placeOf(next.index)));
  return [...hidden, ...comments(text, placeOf), ...gaps(text, firstLine)];
}

function comments(text: string, placeOf: (offset: number) => Place): Problem[] {
  const found: Problem[] = [];
  for (let start = text.indexOf('<!--'); start >= 0;) {
    const end = text.indexOf('-->', start);
    const stop = end < 0 ? text.length : end;
    const excerpt = text
      .slice(start + 4, Math.min(stop, start + 204))
      .trim()
      .replace(/\s+/g, ' ');
    found.push(warning('comment', `A comment that rendered Markdown does not show: ${JSON.stringify(excerpt)}`, placeOf(start)));
    start = text.indexOf('<!--', stop);
  }
  return found;
}

function gaps(text: string, firstLine: number): Problem[] {
  const found: Problem[] = [];
  let empty = 0;
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') {
      empty += 1;
      continue;
    }
    if (empty >= emptyLines) {
      found.push(
        warning('gap', `Text goes on here after ${empty} empty lines; a reviewer may have stopped above.`, {
          line: firstLine + index,
          column: 1,
        }),
      );
    }
    empty = 0;
  }
  return found;
}

/** Offset to place, by bisection: a text may hold as many findings as characters. */
function placer(text: string, firstLine: number): (offset: number) => Place {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return (offset) => {
    let [low, high] = [0, starts.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (starts[middle]! <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: firstLine + low, column: offset - starts[low]! + 1 };
  };
}
