/** The numbered steps of instructions, each with its indented or wrapped lines. */
export function stepsOf(instructions: string): string[] {
  const steps: string[] = [];
  let fenced = false;
  // A step goes on in wrapped lines, and behind a blank line in indented ones.
  let open = false;
  let blank = false;
  for (const line of instructions.split(/\r?\n/)) {
    const fence = /^\s*(?:```|~~~)/.test(line);
    if (fence) fenced = !fenced;
    if (fence || fenced) continue;
    if (/^ {0,3}\d{1,2}[.)]\s/.test(line)) {
      steps.push(line.trim());
      open = true;
    } else if (line.trim() !== '') {
      open &&= !/^#{1,6}\s/.test(line) && (!blank || /^\s/.test(line));
      if (open) steps[steps.length - 1] += ` ${line.trim()}`;
    }
    blank = line.trim() === '';
  }
  return steps;
}

/** Those of the names that the instructions put in backticks, in the order of the steps, each once. */
export function toolsInOrder(instructions: string, names: string[]): string[] {
  const known = new Set(names);
  const inSteps = mentions(stepsOf(instructions).join('\n'), known);
  return inSteps.length > 0 ? inSteps : mentions(instructions, known);
}

function mentions(text: string, known: Set<string>): string[] {
  const found = [...text.matchAll(/`([A-Za-z][\w.-]*)(?:\([^`]*\))?`/g)].map((match) => match[1]!);
  return [...new Set(found)].filter((name) => known.has(name));
}
