import type { SkillRequirements } from '@skillgate/contracts/tokens';
import { profileName, toolName } from '@skillgate/contracts/words';
import { didYouMean } from './near-names.js';
import { error, type Place, type Problem } from './problem.js';
import type { Vocabulary } from './vocabulary.js';

const plainName = /^[a-z][a-z0-9_-]*$/; // capabilities and integrations: subagents, skill-authoring, ms_calendar

const lists = {
  capabilities: { fits: (name: string) => plainName.test(name), anyOf: true },
  integrations: { fits: (name: string) => plainName.test(name), anyOf: true },
  profiles: { fits: (name: string) => profileName.safeParse(name).success, anyOf: false },
  tools: { fits: (name: string) => toolName.safeParse(name).success, anyOf: false },
} as const;

type ListName = keyof typeof lists;

/** Our four lists: entries apart by blanks or commas, `a|b` inside one where either will do. */
export function checkRequirements(
  values: ReadonlyMap<string, { text: string; at: Place }>,
  vocabulary: Vocabulary,
  problems: Problem[],
): SkillRequirements {
  const read = (list: ListName): string[] => {
    const value = values.get(list);
    if (!value) return [];
    const entries = splitNames(value.text);
    if (entries.length === 0)
      problems.push(error('list-empty', `"skillgate.${list}" names nothing; name an entry or remove the line.`, value.at));
    for (const entry of entries) problems.push(...checkEntry(list, entry, value.at, vocabulary[list]));
    return entries;
  };
  return { capabilities: read('capabilities'), integrations: read('integrations'), profiles: read('profiles'), tools: read('tools') };
}

/** Distinct entries in the order written. */
export const splitNames = (text: string): string[] => [...new Set(text.split(/[\s,]+/).filter(Boolean))];

function checkEntry(list: ListName, entry: string, at: Place, known: readonly string[] | undefined): Problem[] {
  const { fits, anyOf } = lists[list];
  const names = entry.split('|');
  if (names.length > 1 && !anyOf) {
    return [error('list-any-of', `"skillgate.${list}" opens all that it names, so "${entry}" cannot mean either; name one.`, at)];
  }
  return names.flatMap((name) => {
    const here = `"${name || entry}" in "skillgate.${list}"`;
    const advice = didYouMean(name, known ?? []);
    if (name === '') return [error('list-entry', `${here} has an empty side; write alternatives without blanks, as in gmail|outlook.`, at)];
    if (!fits(name)) return [error('list-entry', `${here} is no possible name${advice || '; check letters, blanks and separators.'}`, at)];
    if (!known || known.includes(name)) return [];
    return [error('list-unknown', `${here} does not exist here${advice || knownOnes(name, known)}`, at)];
  });
}

const fewNames = 20; // a house has more than a hundred tools, and a sentence is to be read

/** All names when they are few, else those that begin with the same word, as tools of one system do. */
function knownOnes(name: string, known: readonly string[]): string {
  const shown = known.length <= fewNames ? known : known.filter((other) => other.split('_')[0] === name.split('_')[0]).slice(0, fewNames);
  return shown.length > 0 ? `; known are ${shown.join(', ')}.` : '.';
}
