import { error, type Problem } from './problem.js';

export interface FrontMatter {
  /** The YAML between the fences; its first line is line 2 of the file. */
  readonly header: string;
  readonly body: string;
  /** Line of the file on which `body` begins. */
  readonly bodyLine: number;
}

const fence = /^---[ \t]*$/; // exactly three dashes; blanks behind them do not show in an editor

/** Splits text with `\n` line ends at the two fences. The closing one may end the file without a newline. */
export function splitFrontMatter(text: string): FrontMatter | { problem: Problem } {
  const lines = text.split('\n');
  if (!fence.test(lines[0] ?? '')) {
    const later = lines.findIndex((line) => line.trim() !== '');
    const advice =
      later > 0 && fence.test(lines[later] ?? '') ? 'remove the empty lines above it' : 'put --- there, then name and description';
    return { problem: error('header-missing', `The header must begin with --- on the first line; ${advice}.`, { line: 1, column: 1 }) };
  }
  const end = lines.findIndex((line, at) => at > 0 && fence.test(line));
  if (end < 0) {
    return {
      problem: error('header-unclosed', 'The header has no end; put --- on a line of its own below the last field.', {
        line: lines.length,
        column: 1,
      }),
    };
  }
  return { header: lines.slice(1, end).join('\n'), body: lines.slice(end + 1).join('\n'), bodyLine: end + 2 };
}
