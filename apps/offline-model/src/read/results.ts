import { parseJson } from './json-in-text.js';
import type { AnsweredCall } from './turn.js';

type Fields = Record<string, unknown>;

/** Why a call did not do its work, in the words of the one who refused; undefined when it did. */
export function failureOf(call: AnsweredCall): string | undefined {
  const parsed = parseJson(call.result);
  if (!isFields(parsed))
    return /^\s*(?:error|refused|refusal|failed|unavailable|not run|cancelled|timed out)\b/i.test(call.result)
      ? oneLine(call.result)
      : undefined;
  const failed =
    parsed.ok === false ||
    parsed.is_error === true ||
    /^(?:error|failed|refused|unavailable|cancelled|unknown)$/.test(String(parsed.status ?? parsed.decision ?? ''));
  const reason = [parsed.error, parsed.refusal, parsed.refused].find((value) => value !== undefined && value !== null && value !== false);
  if (!failed && reason === undefined) return undefined;
  if (isFields(reason) && typeof reason.message === 'string') return oneLine(reason.message);
  return oneLine(
    [parsed.message, parsed.reason, reason].find((value): value is string => typeof value === 'string') ?? 'no reason was given',
  );
}

/** The text that a reading tool brought: the result itself, or the longest text inside its JSON. */
export function textOf(result: string): string {
  const parsed = parseJson(result);
  if (!isFields(parsed)) return salvage(result) ?? result;
  const texts = Object.entries(parsed).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  const named = texts.find(([key]) => textKey.test(key));
  if (named) return named[1];
  if (isFields(parsed.content)) return textOf(JSON.stringify(parsed.content));
  const longest = texts.map(([, text]) => text).sort((a, b) => b.length - a.length)[0];
  return longest !== undefined && longest.length > 40 ? longest : result;
}

const textKey = /^(?:text|content|markdown|body)$/;
/** How the house marks what it cut from the middle of a long result. */
const cutMark = /\s*\[… \d+ characters cut[^\]]*…\]\s*/;

/** A result that was cut in the middle is JSON no more: its text is read up to where it stops being a string. */
function salvage(result: string): string | undefined {
  const start = /"(?:text|content|markdown|body)"\s*:\s*"/.exec(result);
  if (!result.trimStart().startsWith('{') || !start) return undefined;
  // The cut may stand in the middle of an escape, so the text on either side of it is read on its own.
  const pieces = result
    .slice(start.index + start[0].length)
    .split(cutMark)
    .map((piece) => /^(?:[^"\\]|\\.)*/s.exec(piece.replace(/\\u[0-9a-f]{0,3}$/i, ''))![0]);
  const texts = pieces
    .map((piece) => parseJson(`"${piece.replace(/[\u0000-\u001f]/g, ' ')}"`))
    .filter((text): text is string => typeof text === 'string');
  return texts.length > 0 ? texts.join('\n\n') : undefined;
}

/** How much of a text came: `next` is where to read on, `total` its length; both in the tool's own unit. */
export function pageOf(result: string): { next?: number; total?: number; cut: boolean } {
  const parsed = parseJson(result);
  const fields = isFields(parsed) ? (isFields(parsed.content) ? parsed.content : parsed) : {};
  const number = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);
  return {
    next: number(fields.next_offset ?? fields.nextOffset),
    total: number(fields.total),
    cut: fields.truncated === true || cutMark.test(result),
  };
}

/** Remarks that a tool made on its work. */
export function notesIn(result: string): string[] {
  const parsed = parseJson(result);
  const notes = isFields(parsed) && Array.isArray(parsed.notes) ? parsed.notes : [];
  return notes.filter((note): note is string => typeof note === 'string').map(oneLine);
}

/** What an acknowledgement says was held back, in its own words: `{"withheld":[{"name","message"}]}`. */
export function withheldIn(result: string): string[] {
  const parsed = parseJson(result);
  const withheld = isFields(parsed) && Array.isArray(parsed.withheld) ? parsed.withheld : [];
  return withheld
    .filter(isFields)
    .map((item) => oneLine(String(item.message ?? item.name ?? '')))
    .filter((message) => message !== '');
}

/** Names of the files that a result says were made. */
export function filesIn(result: string): string[] {
  const names: string[] = [];
  const visit = (value: unknown, depth: number): void => {
    if (depth > 5) return;
    if (Array.isArray(value)) for (const item of value) visit(item, depth + 1);
    else if (isFields(value)) {
      const name = value.name ?? value.file_name ?? value.fileName;
      if (typeof name === 'string' && /\.[A-Za-z0-9]{1,5}$/.test(name)) names.push(name);
      for (const inner of Object.values(value)) visit(inner, depth + 1);
    }
  };
  visit(parseJson(result), 0);
  return [...new Set(names)];
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function oneLine(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > 300 ? `${line.slice(0, 297).replace(/\s+\S*$/, '')}…` : line;
}
