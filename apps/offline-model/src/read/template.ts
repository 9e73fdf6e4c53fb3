/** An example needs this many headings to be a layout. */
const leastHeadings = 2;

/** The `##` headings of the first fenced example in the instructions: how the result is to be laid out. Empty when there is none. */
export function headingsWanted(instructions: string): string[] {
  for (const block of instructions.matchAll(/^(```+|~~~+)[^\n]*\n([\s\S]*?)^\1/gm)) {
    const headings = [...block[2]!.matchAll(/^##\s+(.+?)\s*#*$/gm)].map((match) => match[1]!.replace(/[*_`{}<>]/g, '').trim());
    if (headings.length >= leastHeadings) return [...new Set(headings)];
  }
  return [];
}
