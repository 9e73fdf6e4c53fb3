import { integrationNames } from '@skillgate/contracts/integrations';
import type { Log } from '@skillgate/service-kit/log';
import { planPublication, type Publication } from './plan-publication.js';
import { readSkills } from './read-skills.js';
import type { SkillStore } from './skill-store.js';

/**
 * Brings what lies in the skills directory into the store. Any number of replicas may do it at once. Everything that is
 * not usable is logged with its reason and listed for operators.
 */
export async function publishSkills(store: SkillStore, directory: string, log: Log, integrations: readonly string[] = integrationNames): Promise<Publication> {
  const found = await readSkills(directory, integrations);
  const publication = await store.publish((stored) => planPublication(found, stored));
  const { insert, current, unusable } = publication;
  for (const { folder, problems } of unusable) log.error({ skill: folder, problems }, 'a skill folder cannot be used and opens nothing');
  for (const { slug, problems } of current) if (problems.length > 0) log.warn({ skill: slug, problems }, 'a skill has findings');
  log.info(
    { directory, offered: current.length, published: insert.map(({ slug, version }) => `${slug}@${version}`), unusable: unusable.length },
    'skills are in the catalog',
  );
  return publication;
}
