import { didYouMean } from './near-names.js';
import { fieldOf, type Header } from './header.js';
import { error } from './problem.js';
import type { YamlValue } from './read-yaml.js';
import type { Vocabulary } from './vocabulary.js';

// A name, and in some agents a pattern of arguments behind it: Read, docs_read, Bash(git add:*)
const toolPattern = /^[A-Za-z][\w-]*(?:\([^()]*\))?$/;
const separators = /[\s,]+(?![^(]*\))/; // not inside the parentheses of a pattern

/** `allowed-tools` in its three forms (blanks, commas, YAML list) gives the same distinct names in the order written. */
export function checkAllowedTools(header: Header, { tools: known }: Vocabulary): string[] {
  const field = fieldOf(header, 'allowed-tools');
  if (!field) return [];
  const names = [...new Set(namesIn(field.value, header))];
  const report = (rule: string, message: string) => header.problems.push(error(rule, message, field.value.at));
  if (names.length === 0)
    report('list-empty', '"allowed-tools" names no tool, which is neither all nor none; name tools or remove the line.');
  for (const name of names) {
    if (!toolPattern.test(name))
      report(
        'list-entry',
        `"${name.slice(0, 80)}" in "allowed-tools" is no possible tool name; separate names by blanks, commas or as a YAML list.`,
      );
    else if (known && !known.includes(name))
      report('list-unknown', `"${name}" in "allowed-tools" does not exist here${didYouMean(name, known) || '.'}`);
  }
  return names;
}

function namesIn(value: YamlValue, { problems }: Header): string[] {
  if (value.kind === 'string') return value.text.split(separators).filter(Boolean);
  if (value.kind === 'null') return []; // reported as empty
  if (value.kind !== 'list') {
    problems.push(error('type', '"allowed-tools" must be names apart by blanks or commas, or a YAML list of names.', value.at));
    return [];
  }
  return value.items.flatMap((item) => {
    if (item.kind === 'string' && item.text.trim() !== '') return [item.text.trim()];
    problems.push(error('type', 'Each entry of "allowed-tools" must be the name of a tool.', item.at));
    return [];
  });
}
