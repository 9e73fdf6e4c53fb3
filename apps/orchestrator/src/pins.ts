import type { LoadedSkill, SkillPin } from '@skillgate/contracts/calls/catalog';

/**
 * What the chat remembers after a load. Skills that this turn may not use, such as one that it alone switches off, stay
 * remembered: the catalog decides again in each turn.
 */
export function pinsWith(pinned: readonly SkillPin[], loaded: readonly LoadedSkill[]): SkillPin[] {
  const fresh = loaded.map(({ slug, version, digest }) => ({ slug, version, digest }));
  const replaced = new Set(fresh.map(({ slug }) => slug));
  return [...pinned.filter(({ slug }) => !replaced.has(slug)), ...fresh];
}
