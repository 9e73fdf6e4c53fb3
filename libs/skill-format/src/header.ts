import { didYouMean } from './near-names.js';
import { error, warning, type Place, type Problem } from './problem.js';
import type { YamlField, YamlValue } from './read-yaml.js';

/** A header's fields with the problems found so far: every check adds to the same list. */
export interface Header {
  readonly fields: readonly YamlField[];
  readonly problems: Problem[];
  /** What does no harm is a warning: for packages that were written for somebody else. */
  readonly lenient?: boolean;
}

/** Of the Agent Skills specification (agentskills.io/specification). */
const knownKeys = ['name', 'description', 'license', 'compatibility', 'metadata', 'allowed-tools'];

/** Ours: under `metadata`, each with the prefix `skillgate.`. */
export const ourKeys = ['title', 'version', 'default', 'hidden', 'capabilities', 'integrations', 'profiles', 'tools'];

export const fieldOf = ({ fields }: Header, key: string): YamlField | undefined => fields.find((field) => field.key === key);

// Misplaced, these would open what their author meant to close.
const closing = ['default', 'hidden', 'capabilities', 'integrations'];

/** Unknown fields are errors that name what was meant. */
export function checkKeys({ fields, problems, lenient }: Header): void {
  for (const { key, keyAt } of fields) {
    if (knownKeys.includes(key)) continue;
    const advice = ourKeys.includes(key) ? `; write it under metadata as skillgate.${key}: "…"` : didYouMean(key, knownKeys);
    const known = `; known are ${knownKeys.join(', ')}, and what is your own goes under metadata.`;
    const report = lenient && !closing.includes(key) ? warning : error;
    problems.push(report('key-unknown', `The field "${key}" is not part of a skill's header${advice || known}`, keyAt));
  }
}

/**
 * The text of a field that must be a string as written; undefined with a problem when it is something else: a number is never
 * turned into text, since 1.10 would become "1.1". `meant` makes what stands there into what should stand there, for the advice.
 */
export function textOf(
  key: string,
  value: YamlValue,
  problems: Problem[],
  meant = (source: string) => source,
): { text: string; at: Place } | undefined {
  if (value.kind === 'string') return { text: value.text, at: value.at };
  problems.push(error('type', `"${key}" must be text${howToWrite(key, value, meant)}`, value.at));
  return undefined;
}

function howToWrite(key: string, value: Exclude<YamlValue, { kind: 'string' }>, meant: (source: string) => string): string {
  if (value.kind === 'null')
    return value.source
      ? `; "${value.source}" is YAML's word for nothing, put it into quotes.`
      : ' and is empty; write a value or remove the line.';
  if (value.kind === 'list') return ', not a list; write the entries into one pair of quotes, separated by commas.';
  if (value.kind === 'map') return `, not a map; write one line for each key, with the whole name: ${key}.<name>: "…".`;
  return `, and YAML reads ${value.source} as a ${value.kind}; put it into quotes: ${key}: "${meant(value.source)}"`;
}

/** An optional text field with a length limit in characters. */
export function optionalText(header: Header, key: string, maxLength: number): string | undefined {
  const field = fieldOf(header, key);
  const value = field && textOf(key, field.value, header.problems);
  if (!value) return undefined;
  const text = value.text.trim();
  if (text === '') header.problems.push(error('empty', `"${key}" is empty; write a value or remove the line.`, value.at));
  if (text.length > maxLength)
    header.problems.push(error('too-long', `"${key}" has ${text.length} characters and may have ${maxLength}.`, value.at));
  return text;
}
