import type { LoadedSkill, SkillPin } from '@skillgate/contracts/calls/catalog';
import type { HistoryItem, HistorySkill } from '@skillgate/prompt/history';
import type { Fresh } from './loaded-item.js';
import { pinsWith } from './pins.js';
import type { TurnContext } from './turn-context.js';

/** By slug, the version that entered last: that is the one which counts for a model. */
export function latestOf(history: readonly HistoryItem[]): ReadonlyMap<string, HistorySkill> {
  const entered = history.flatMap((item) => (item.kind === 'loaded' ? item.skills : []));
  return new Map(entered.map((skill) => [skill.slug, skill]));
}

export const pinOf = ({ slug, version, digest }: SkillPin): SkillPin => ({ slug, version, digest });

/** What the chat was shown without having loaded it. */
export function shownOf(history: readonly HistoryItem[], pinned: readonly SkillPin[]): SkillPin[] {
  const held = new Set(pinned.map(({ slug }) => slug));
  return [...latestOf(history).values()].filter(({ slug }) => !held.has(slug)).map(pinOf);
}

/**
 * What is to enter the context: `always` instructions once a version and not once a turn, and loaded ones that take the place of what the chat
 * holds, which the chat then remembers instead. Nothing that was sent before changes.
 */
export function enteringSkills(context: TurnContext, { always, loaded }: { always: readonly LoadedSkill[]; loaded: readonly LoadedSkill[] }): Fresh[] {
  const { journal, publisher } = context;
  const latest = latestOf(journal.visible);
  const moved = loaded.filter(({ replaces }) => replaces !== undefined);
  const fresh = always.filter(({ slug, digest }) => latest.get(slug)?.digest !== digest);
  if (moved.length > 0) {
    context.pinned = pinsWith(context.pinned, moved);
    journal.pin(context.pinned);
  }
  for (const { slug, version, replaces } of [...fresh, ...moved]) {
    if (replaces) publisher.progress({ stage: 'loaded', skill: `${slug}@${version}`, message: `${slug}@${version} replaces ${replaces}` });
  }
  return [...fresh, ...moved].map((skill) => ({ skill }));
}
