import type { Place } from './problem.js';

/** Offset to place, by bisection: a text may hold as many findings as characters. */
export function placer(text: string, firstLine = 1): (offset: number) => Place {
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
