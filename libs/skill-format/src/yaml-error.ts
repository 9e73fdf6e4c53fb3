import type { YAMLError } from 'yaml';
import { error, type Place, type Problem } from './problem.js';

const colonInValue = /:(?:[ \t]|$)/; // a colon before a blank or at the line's end begins a map
const unquoted = /^[ \t]*([\w.-]+):[ \t]+([^'"|>[{\s].*)$/; // key and plain value of one line

/** The parser's error in words of the person who wrote the line, at its place in the file. */
export function explainYamlError(failure: YAMLError, text: string, placeOf: (offset: number) => Place): Problem {
  const offset = failure.pos[0];
  const lineStart = text.lastIndexOf('\n', offset - 1) + 1;
  const line = text.slice(lineStart).split('\n', 1)[0]!;
  const [, key, value] = unquoted.exec(line) ?? [];
  const colon = value === undefined ? -1 : value.search(colonInValue);
  if (failure.code === 'BLOCK_AS_IMPLICIT_KEY' && key !== undefined && value !== undefined && colon >= 0) {
    const at = placeOf(lineStart + line.length - value.length + colon);
    const advice = `put the value into quotes: ${key}: ${quoted(value)}`;
    return error('yaml-colon', `The value of "${key}" holds a colon before a blank, which YAML reads as a new key; ${advice}`, at);
  }
  if (failure.code === 'DUPLICATE_KEY') {
    const doubled = /^[^:]*/.exec(text.slice(offset))?.[0].trim();
    return error('yaml-duplicate', `The key "${doubled}" stands here twice; keep one of the two.`, placeOf(offset));
  }
  if (failure.code === 'TAB_AS_INDENT') return error('yaml-tab', 'The line is indented by a tab; use blanks.', placeOf(offset));
  const hint =
    key !== undefined && value !== undefined ? ` If the value is meant as text, put it into quotes: ${key}: ${quoted(value)}` : '';
  return error('yaml-syntax', `This is not valid YAML: ${failure.message.split('\n', 1)[0]!.replace(/\.$/, '')}.${hint}`, placeOf(offset));
}

/** As a YAML double-quoted scalar, shortened: advice, not data. */
const quoted = (value: string): string => JSON.stringify(value.length > 60 ? `${value.slice(0, 59)}…` : value);
