import { skillSlug } from '@skillgate/contracts/words';
import { fieldOf, textOf, type Header } from './header.js';
import { error, warning } from './problem.js';

/** The skill's name, by the specification's rule and equal to the folder it lies in. */
export function checkName(header: Header, folder: string): string | undefined {
  const { problems } = header;
  const field = fieldOf(header, 'name');
  if (!field) {
    problems.push(error('name-missing', `The header has no name; add the line: name: ${folder}`, { line: 2, column: 1 }));
    return undefined;
  }
  const name = textOf('name', field.value, problems);
  if (!name) return undefined;
  if (!skillSlug.safeParse(name.text).success) {
    problems.push(
      error(
        'name-form',
        `The name ${JSON.stringify(name.text.slice(0, 80))} must be 1 to 64 lower-case letters, digits and single hyphens between them.`,
        name.at,
      ),
    );
  } else if (name.text !== folder) {
    const report = header.lenient ? warning : error;
    problems.push(report('name-folder', `The name is "${name.text}" and the folder "${folder}"; make them equal.`, name.at));
  }
  return name.text;
}
