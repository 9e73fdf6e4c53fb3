export type ParsedArguments =
  { readonly ok: true; readonly value: Record<string, unknown> } | { readonly ok: false; readonly message: string };

// Some models write the object as a JSON string, some proxies do it once more.
const maxWrappings = 3;

/** A call's arguments as an object. Nothing, `""` and `null` mean no arguments; an object inside JSON strings is unwrapped. */
export function parseArguments(raw: string | null | undefined): ParsedArguments {
  let value: unknown = raw ?? '';
  for (let layer = 0; layer <= maxWrappings && typeof value === 'string'; layer += 1) {
    const text: string = value;
    if (text.trim() === '') return { ok: true, value: {} };
    try {
      value = JSON.parse(text) as unknown;
    } catch (failure) {
      return { ok: false, message: explain(text, failure) };
    }
  }
  if (value === null) return { ok: true, value: {} };
  if (typeof value === 'object' && !Array.isArray(value)) return { ok: true, value: value as Record<string, unknown> };
  const found = Array.isArray(value) ? 'a list' : `a ${typeof value}`;
  return { ok: false, message: `The arguments are ${found}; call again with one JSON object that has a key for each argument.` };
}

/** What the provider gets for a call of the past: always a JSON object, since many refuse a whole chat for one broken call. */
export function sendableArguments(raw: string): string {
  const parsed = parseArguments(raw);
  if (!parsed.ok) return JSON.stringify({ unreadable_arguments: Array.from(raw).slice(0, 500).join('') });
  return raw.trimStart().startsWith('{') ? raw : JSON.stringify(parsed.value);
}

function explain(text: string, failure: unknown): string {
  const reason = failure instanceof Error ? failure.message : String(failure);
  // V8's words for JSON that stops too early.
  if (/Unexpected end|Unterminated/.test(reason)) {
    const where = `stop in the middle of the JSON after ${text.length} characters`;
    return `The arguments ${where}; call again with one complete JSON object, and with less text if it was long.`;
  }
  const advice = 'call again with one JSON object, and with quotes and line breaks inside texts escaped';
  return `The arguments are not valid JSON (${reason.slice(0, 160)}); ${advice}.`;
}
