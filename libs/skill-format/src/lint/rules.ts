import type { Finding } from './finding.js';

export interface LintRule {
  readonly level: Finding['level'];
  /** What to do about it. */
  readonly advice: string;
}

const errors = (advice: Readonly<Record<string, string>>) => atLevel('error', advice);
const warnings = (advice: Readonly<Record<string, string>>) => atLevel('warning', advice);

function atLevel(level: Finding['level'], advice: Readonly<Record<string, string>>): [string, LintRule][] {
  return Object.entries(advice).map(([rule, text]) => [rule, { level, advice: text }]);
}

const quote = 'Put the value into double quotes.';
const plainYaml = 'Write plain "key: value" lines; a header needs no other YAML.';

/** Every rule by its id. Ids never change their meaning; those of the parsers are theirs. */
export const lintRules: Readonly<Record<string, LintRule | undefined>> = Object.fromEntries([
  // The package and its files.
  ...errors({
    'skill-md-missing': 'Write a SKILL.md with a header and instructions, or remove the folder.',
    'package-path': 'Rename the file.',
    'file-size': 'Split the file, or keep only what a model needs of it.',
    'file-encoding': 'Save the file as UTF-8.',
    'file-binary': 'Save the file as UTF-8 text, or give it the ending of its format.',
  }),
  // The header, as YAML and as fields.
  ...errors({
    'header-missing': 'Begin the file with a line of three dashes, then name and description, then three dashes.',
    'header-unclosed': 'Put three dashes on a line of their own below the last field.',
    'yaml-shape': 'Write each field as "key: value" on its own line.',
    'yaml-syntax': quote,
    'yaml-colon': quote,
    'yaml-tab': 'Indent by blanks.',
    'yaml-duplicate': 'Keep one of the two lines.',
    'yaml-key': 'Name the field by a plain word.',
    'yaml-alias': plainYaml,
    'yaml-anchor': plainYaml,
    'yaml-tag': plainYaml,
    'yaml-document': plainYaml,
    'yaml-depth': plainYaml,
    'key-unknown': 'Use the name that the specification gives, or move your own field under metadata.',
    type: quote,
    empty: 'Write a value or remove the line.',
    'too-long': 'Shorten the text.',
    'name-missing': 'Add a name that equals the folder.',
    'name-form': 'Use 1 to 64 lower-case letters, digits and single hyphens.',
    'name-folder': 'Make the name and the folder equal.',
    'body-empty': 'Write the instructions below the header.',
    'list-empty': 'Name an entry or remove the line.',
    'list-entry': 'Separate names by blanks or commas.',
    'list-any-of': 'Name one of the two, or both.',
    'list-unknown': 'Use a name that exists here; profiles.yaml lists profiles and tools.',
    'metadata-shape': 'Write an indented line for each key.',
    'metadata-value': 'Write one of the values that the message names.',
    'metadata-unknown': 'Use one of the known keys; your own keys take another prefix.',
  }),
  // The description: the line in the catalog.
  ...errors({
    'description-missing': 'Say in one line what the skill does and when to use it.',
    'description-empty': 'Say in one line what the skill does and when to use it.',
    'description-long': 'Keep what decides when to use the skill; the rest belongs into the instructions.',
    'description-lines': 'Fold the text with >- and leave no empty line inside.',
    'description-marks': 'Write the marks in words.',
    'description-comment': quote,
    'description-hidden': 'Remove the characters that nobody sees.',
  }),
  ...warnings({
    'description-what': 'Begin with what it does, in a sentence with a verb: "Turn a transcript into minutes: decisions, owners, dates."',
    'description-when': 'Add a sentence that begins with "Use for" or "Use when", with words as users write them.',
    'description-generic': 'Name the kind of material, the result and the occasion instead of help, tasks and documents.',
    'description-budget': 'Cut examples that mean the same; keep what separates it from its neighbours.',
    overlap: 'Say in each of the two what the other is for ("Not for …"), or make one skill of them.',
  }),
  // The instructions and what they order.
  ...errors({
    'body-limit': 'Move detail into files under references/ and name each where it is needed.',
    'tool-unopened': 'Add the profile to skillgate.profiles, or use a tool of a declared one.',
    'tool-unknown': 'Correct the name; apps/registry/profiles.yaml lists the tools.',
    'reference-missing': 'Add the file, or correct the name.',
    secret: 'Remove it and revoke it: whoever had the package has it.',
  }),
  ...warnings({
    'body-long': 'Move detail into files under references/ and name each where it is needed.',
    'body-short': 'Write down what a newcomer would get wrong: steps, checks, what to do when something fails, what a good result looks like.',
    'reference-unnamed': 'Name it where it is needed, or remove it.',
    'file-long': 'Split it by occasion, so that the model reads only the part that it needs.',
    'hidden-text': 'Remove the characters, or write what they say in the open.',
    comment: 'Remove it: a model reads it and a reviewer does not.',
    'hidden-html': 'Show the text or remove it.',
    'far-right': 'Put the text at the beginning of a line.',
    gap: 'Remove the empty lines.',
  }),
  // The sentences that judge routing.
  ...errors({
    'routing-empty': 'Write what users say when they need this skill.',
    'routing-sentence': 'Write one request of a user.',
    'routing-twice': 'Keep the sentence in one list.',
    'routing-near': 'Write { request: "…", loads: <slug> } or loads: none.',
    'near-miss': 'Name a skill that exists and can be loaded, or none.',
  }),
]);
