import { describeHidden, findHidden } from './hidden-text.js';
import { placer } from './placer.js';
import { warning, type Place, type Problem } from './problem.js';
import { findUnshown } from './unshown-text.js';

const emptyLines = 50; // enough to push text out of a reviewer's sight, more than any layout needs
const runsShown = 20; // of hidden characters; one is reason enough to look closely

/**
 * Points a reviewer at text that a reader overlooks and a model does not: hidden characters, comments, text that is not shown, text far below or far to the right.
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
  const unshown = findUnshown(text).map(({ rule, message, index }) => warning(rule, message, placeOf(index)));
  return [...hidden, ...comments(text, placeOf), ...unshown, ...gaps(text, firstLine)];
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
