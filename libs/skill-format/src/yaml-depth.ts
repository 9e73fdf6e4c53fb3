import { error, type Problem } from './problem.js';

// The YAML parser recurses once a level and about 800 levels take the whole process down. A real header has three.
const maxDepth = 100;

const documentEnd = /^(\.\.\.|%)/; // would hide everything behind it, or switch the YAML version

/** Looks at the text before the parser does: nesting that would exhaust the stack, marks that would hide a part. */
export function refuseDeepNesting(text: string, firstLine: number): Problem | undefined {
  let open = 0;
  for (const [index, line] of text.split('\n').entries()) {
    const at = { line: firstLine + index, column: 1 };
    if (documentEnd.test(line)) return error('yaml-document', `A line must not begin with "${line.slice(0, 3)}"; remove it.`, at);
    let compact = 0;
    for (let n = 0; n < line.length; n += 1) {
      const mark = line[n];
      if (mark === '[' || mark === '{') open += 1;
      else if (mark === ']' || mark === '}') open = Math.max(0, open - 1);
      else if ((mark === '-' || mark === '?' || mark === ':') && (line[n + 1] === ' ' || line[n + 1] === '\t')) compact += 1;
      if (open > maxDepth || compact > maxDepth) {
        return error('yaml-depth', `The header nests more than ${maxDepth} levels; write plain "key: value" lines.`, {
          ...at,
          column: n + 1,
        });
      }
    }
    if (line.search(/\S/) > maxDepth * 2) return error('yaml-depth', 'The line is indented too far; write plain "key: value" lines.', at);
  }
  return undefined;
}
