import { fileNamedBy } from '@skillgate/service-kit/file-variable';
import { readIntegrationNames } from '@skillgate/service-kit/integration-names';
import { root } from '@skillgate/standalone/run-from-source';
import type { Finding } from '@skillgate/skill-format/lint/finding';
import { lintSkills } from '@skillgate/skill-format/lint/lint-skills';
import { join, relative, resolve } from 'node:path';
import { houseVocabulary } from './house-vocabulary.js';
import type { LintArguments } from './lint-arguments.js';
import { readPackages } from './read-packages.js';

/** Lints and prints. Answers with the exit code. `calledFrom` is the folder that file names are meant from. */
export function runLint({ directory, json, strict }: LintArguments, calledFrom: string, print: (text: string) => void): number {
  const where = directory === undefined ? join(root, 'skills') : resolve(calledFrom, directory);
  const integrations = readIntegrationNames(fileNamedBy('SKILLGATE_INTEGRATIONS_FILE'));
  const { packages, meant, parent } = readPackages(where);
  const findings = lintSkills(packages, houseVocabulary(join(root, 'apps/registry/profiles.yaml'), integrations)).filter(({ slug }) => meant.includes(slug));
  const errors = findings.filter(({ level }) => level === 'error').length;
  const warnings = findings.length - errors;
  if (json) print(JSON.stringify({ skills: meant.length, errors, warnings, findings }));
  else {
    for (const finding of findings) print(line(finding, relative(calledFrom, parent)));
    print(`${count(meant.length, 'skill')}, ${count(errors, 'error')}, ${count(warnings, 'warning')}`);
  }
  return errors > 0 || (strict && warnings > 0) ? 1 : 0;
}

const line = ({ slug, file, line: row, column, level, rule, message, advice }: Finding, parent: string): string =>
  `${join(parent, slug, file)}:${row}:${column}: ${level} ${rule}: ${message}\n    ${advice}`;

const count = (number: number, what: string): string => `${number} ${what}${number === 1 ? '' : 's'}`;
