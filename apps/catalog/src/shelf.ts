import type { UpdatePolicy } from '@skillgate/contracts/calls/skill-versions';
import type { SkillFacts } from '@skillgate/gating/skill-facts';
import type { SkillVersionRow } from './skill-version-row.js';
import { versionOf } from './skill-store.js';
import type { SkillProblem, SkillVersion } from './skill-version.js';

/** One skill as the catalog stands now. */
export interface ShelfSkill {
  /** What the resolver decides on. */
  facts: SkillFacts;
  /** What is offered; absent when nothing is. */
  offered?: SkillVersion;
  /** What was published last, also of a skill that is broken or gone. */
  last?: SkillVersion;
  problems: SkillProblem[];
  /** What chats that hold an older version do about a newer one. */
  updates: UpdatePolicy;
  /** Why nothing is offered though the text is in order; chats that hold it may keep it. */
  retired?: string;
}

/** Every skill by its slug, in alphabetical order: what models and people are told comes from here. */
export type Shelf = ReadonlyMap<string, ShelfSkill>;

/** Puts the rows of the store in their places; a skill without an offered version is there with the reason. */
export function shelfOf(rows: readonly SkillVersionRow[], updates: ReadonlyMap<string, UpdatePolicy> = new Map()): Shelf {
  const slugs = [...new Set(rows.map(({ slug }) => slug))].sort();
  return new Map(
    slugs.map((slug) => [
      slug,
      shelve(
        slug,
        rows.filter((row) => row.slug === slug),
        updates.get(slug) ?? 'pin',
      ),
    ]),
  );
}

function shelve(slug: string, rows: SkillVersionRow[], updates: UpdatePolicy): ShelfSkill {
  const published = rows.find(({ status }) => status === 'published');
  const broken = rows.find(({ status }) => status === 'invalid');
  const last = published && versionOf(published);
  if (last && published.current) return { facts: factsOf(last), offered: last, last, problems: published.problems, updates };
  const retired = published?.retiredReason ?? undefined;
  const problems = retired !== undefined ? [retirement(retired)] : (broken?.problems ?? [gone]);
  // A skill that was never published may have been meant to be hidden; one that was, stays what it was.
  // What is gone or retired needs no repair: nothing is wrong with its text.
  const why = retired === undefined && broken ? { problems: problems.map(sentence) } : { withdrawn: problems.map(sentence).join(' ') };
  const facts = { ...(last ? factsOf(last) : nothing), slug, ...why };
  return { facts, ...(last && { last }), problems, updates, ...(retired !== undefined && { retired }) };
}

export const factsOf = ({ slug, hidden, defaultState, requires }: SkillVersion): SkillFacts => ({ slug, hidden, defaultState, requires });

const nothing = {
  hidden: false,
  defaultState: 'available' as const,
  requires: { capabilities: [], integrations: [], profiles: [], tools: [] },
};

const gone: SkillProblem = { rule: 'folder-gone', message: 'Its folder was removed from this installation.' };

export const retirement = (reason: string): SkillProblem => ({ rule: 'retired', message: `It was taken out of use: ${reason}` });

const sentence = ({ message, line, column }: SkillProblem): string =>
  line === undefined ? message : `line ${line}, column ${column}: ${message}`;
