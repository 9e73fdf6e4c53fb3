import type { SkillState } from '@skillgate/contracts/words';
import { checkRequirements } from './check-requirements.js';
import { fieldOf, ourKeys, textOf, type Header } from './header.js';
import { findHidden } from './hidden-text.js';
import { didYouMean } from './near-names.js';
import { error, type Place, type Problem } from './problem.js';
import type { Vocabulary } from './vocabulary.js';

const prefix = 'skillgate.';

// Semantic Versioning 2.0.0, in the pieces of the expression that semver.org recommends.
const number = '(?:0|[1-9]\\d*)';
const preRelease = `(?:${number}|\\d*[a-zA-Z-][0-9a-zA-Z-]*)`;
const build = '[0-9a-zA-Z-]+';
const semver = new RegExp(`^${number}\\.${number}\\.${number}(?:-${preRelease}(?:\\.${preRelease})*)?(?:\\+${build}(?:\\.${build})*)?$`);

/** Version of a skill that names none. */
const unversioned = '0.0.0';

/** All values under `metadata` are strings, by the specification; ours are checked one by one. */
export function checkMetadata(header: Header, slug: string, vocabulary: Vocabulary) {
  const values = readStrings(header);
  const { problems } = header;
  const one = <T extends string>(key: string, allowed: readonly T[], fallback: T): T => {
    const value = values.get(key);
    if (!value || (allowed as readonly string[]).includes(value.text)) return (value?.text as T | undefined) ?? fallback;
    problems.push(
      error(
        'metadata-value',
        `"${prefix}${key}" is ${JSON.stringify(value.text)} and must be one of ${allowed.join(', ')}${didYouMean(value.text, allowed)}`,
        value.at,
      ),
    );
    return fallback;
  };
  return {
    title: checkTitle(values, slug, header),
    version: checkVersion(values, header),
    defaultState: one<SkillState>('default', ['available', 'always', 'never'], 'available'),
    hidden: one('hidden', ['false', 'true'], 'false') === 'true',
    requires: checkRequirements(values, vocabulary, problems),
  };
}

/** Our values by their name behind the prefix. Others' keys are only checked to be strings. */
function readStrings(header: Header): ReadonlyMap<string, { text: string; at: Place }> {
  const values = new Map<string, { text: string; at: Place }>();
  const { problems, lenient } = header;
  const metadata = fieldOf(header, 'metadata');
  if (!metadata) return values;
  if (metadata.value.kind !== 'map') {
    problems.push(
      error(
        'metadata-shape',
        'metadata must be a map of texts; write each as an indented line: skillgate.version: "1.0.0"',
        metadata.value.at,
      ),
    );
    return values;
  }
  for (const { key, keyAt, value } of metadata.value.fields) {
    const known = key.startsWith(prefix) && ourKeys.includes(key.slice(prefix.length));
    const found: Problem[] = [];
    const read = textOf(key, value, found, key === `${prefix}version` ? fullVersion : undefined);
    // What is neither ours nor misspelt as ours decides nothing here.
    problems.push(...(lenient && !key.toLowerCase().startsWith(prefix) ? found.map((one) => ({ ...one, severity: 'warning' as const })) : found));
    if (key.toLowerCase().startsWith(prefix) && !known) {
      const near =
        didYouMean(
          key,
          ourKeys.map((name) => prefix + name),
        ) || `; known are ${ourKeys.map((name) => prefix + name).join(', ')}`;
      problems.push(error('metadata-unknown', `"${key}" is no key of ours${near}`, keyAt));
    } else if (known && read) values.set(key.slice(prefix.length), read);
  }
  return values;
}

function checkTitle(values: ReadonlyMap<string, { text: string; at: Place }>, slug: string, { problems }: Header): string {
  const title = values.get('title');
  const words = slug.replaceAll('-', ' ');
  if (!title) return words.charAt(0).toUpperCase() + words.slice(1);
  const text = title.text.trim();
  const broken = text === '' || text.length > 100 || text.includes('\n') || findHidden(text).length > 0;
  if (broken) problems.push(error('metadata-value', `"${prefix}title" must be one line of 1 to 100 visible characters.`, title.at));
  return text;
}

function checkVersion(values: ReadonlyMap<string, { text: string; at: Place }>, { problems }: Header): string {
  const version = values.get('version');
  if (!version) return unversioned;
  if (semver.test(version.text)) return version.text;
  const full = fullVersion(version.text);
  const advice = semver.test(full) ? `write "${full}"` : 'write three numbers, as in "1.0.0"';
  problems.push(
    error(
      'metadata-value',
      `"${prefix}version" is ${JSON.stringify(version.text.slice(0, 40))}, which is no semantic version; ${advice}.`,
      version.at,
    ),
  );
  return version.text;
}

/** `1.10` was meant as 1.10.0. */
const fullVersion = (text: string): string => [`${text}.0`, `${text}.0.0`].find((longer) => semver.test(longer)) ?? text;
