import { fieldOf, textOf, type Header } from './header.js';
import { describeHidden, findHidden } from './hidden-text.js';
import { error } from './problem.js';

const maxLength = 1024; // characters, by the specification

/** The routing text. It becomes one line of a marked block in the prompt, so it may not end the line or look like a mark. */
export function checkDescription(header: Header): string | undefined {
  const { problems } = header;
  const field = fieldOf(header, 'description');
  if (!field) {
    problems.push(
      error('description-missing', 'The header has no description; say in one line what the skill does and when to use it.', {
        line: 2,
        column: 1,
      }),
    );
    return undefined;
  }
  const value = textOf('description', field.value, problems);
  if (!value) return undefined;
  const text = value.text.trim(); // a folded text ends in a line feed
  const report = (rule: string, message: string) => problems.push(error(rule, message, value.at));
  if (text === '') report('description-empty', 'The description is empty; say in one line what the skill does and when to use it.');
  const length = Array.from(text).length;
  if (length > maxLength)
    report(
      'description-long',
      `The description has ${length} characters and may have ${maxLength}; keep what decides when to use the skill.`,
    );
  if (/[\n\t]/.test(text))
    report('description-lines', 'The description has several lines or a tab; fold it with >- and leave no empty line inside.');
  if (/[<>]/.test(text))
    report(
      'description-marks',
      'The description holds < or >, which could pass for a mark of the block that lists skills; write it in words.',
    );
  if (field.value.kind === 'string' && field.value.comment !== undefined) {
    report('description-comment', 'YAML drops everything from " #" on as a comment; put the description into quotes.');
  }
  const [hidden] = findHidden(text);
  if (hidden) report('description-hidden', `The description holds hidden characters (${describeHidden(hidden)}); remove them.`);
  return text;
}
