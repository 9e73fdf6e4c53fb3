import type { CatalogEntry } from '@skillgate/contracts/calls/catalog';
import type { SkillVersion } from './skill-version.js';

/** A skill's line; it belongs with those that open the same profile first. */
export const entryOf = ({ slug, description, requires, source }: SkillVersion): CatalogEntry => ({
  slug,
  description,
  ...(source && { source }),
  group: requires.profiles[0]?.split('|')[0] ?? 'instructions alone',
});
