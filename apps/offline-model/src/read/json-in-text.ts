/** Each opening bracket that leads nowhere costs a look to the end of the text; no honest prompt has this many. */
const mostMisses = 500;

/** Every JSON object or array that stands in a text, outermost first found; broken ones are passed over. */
export function jsonInText(text: string): unknown[] {
  const found: unknown[] = [];
  let misses = 0;
  for (let at = 0; at < text.length && misses < mostMisses; at++) {
    if (text[at] !== '{' && text[at] !== '[') continue;
    const end = endOfValue(text, at);
    if (end === -1) {
      misses++;
      continue;
    }
    try {
      found.push(JSON.parse(text.slice(at, end)));
      at = end - 1;
    } catch {
      // Prose in brackets. Something inside it may still be JSON, so go on with the next character.
      misses++;
    }
  }
  return found;
}

/** Index after the bracket that closes the one at `start`, or -1. */
function endOfValue(text: string, start: number): number {
  let depth = 0;
  let quoted = false;
  for (let at = start; at < text.length; at++) {
    const character = text[at];
    if (quoted) {
      if (character === '\\') at++;
      else if (character === '"') quoted = false;
    } else if (character === '"') quoted = true;
    else if (character === '{' || character === '[') depth++;
    else if (character === '}' || character === ']') {
      depth--;
      if (depth === 0) return at + 1;
    }
  }
  return -1;
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
