import type { Actor, AuditAction } from '@skillgate/contracts/audit';
import { skillPublished, skillRetired } from '@skillgate/contracts/events/catalog';
import { recordAudit } from '@skillgate/store/audit';
import { enqueueAll, outgoing } from '@skillgate/store/enqueue';
import type { EntityManager } from 'typeorm';
import type { UnusableFolder } from './skill-version.js';
import type { SkillVersionRow } from './skill-version-row.js';

/** A start that finds other skills in its directory than the last one did; whoever put them there is not known here. */
const nobody: Actor = { service: 'catalog', roles: [] };
const state = (row?: SkillVersionRow) => row && { version: row.version, digest: row.digest };

/**
 * Tells and writes down, in the transaction of a publication, which versions are offered from now on and which skills are no more. What is
 * offered as before is not told again, so a start that changes nothing tells nothing.
 */
export async function tellPublication(
  manager: EntityManager,
  {
    before,
    after,
    unusable = [],
    actor = nobody,
    action = 'publish-skill',
  }: {
    before: readonly SkillVersionRow[];
    after: readonly SkillVersionRow[];
    unusable?: readonly UnusableFolder[];
    actor?: Actor;
    /** How what came is called in the audit log. */
    action?: AuditAction;
  },
): Promise<void> {
  const now = new Date().toISOString();
  const came = after.filter(({ slug, version }) => !before.some((row) => row.slug === slug && row.version === version));
  const went = before.filter(({ slug }) => !after.some((row) => row.slug === slug));
  await enqueueAll(manager, [
    ...came.map(({ slug, version, digest, hidden, requires, publishedAt }) =>
      outgoing(skillPublished, { slug, version, digest: digest!, hidden, requires, publishedAt: publishedAt.toISOString() }, slug),
    ),
    ...went.map(({ slug, version, digest }) =>
      outgoing(skillRetired, { slug, version, digest: digest!, reason: reasonOf(slug, unusable), retiredAt: now }, slug),
    ),
  ]);
  for (const row of came) {
    const earlier = before.find(({ slug }) => slug === row.slug);
    const change = { account: null, actor, action, target: row.slug };
    await recordAudit(manager, { ...change, before: state(earlier), after: state(row) });
  }
  for (const row of went) {
    await recordAudit(manager, { account: null, actor, action: 'retire-skill', target: row.slug, before: state(row) });
  }
}

function reasonOf(slug: string, unusable: readonly UnusableFolder[]): string {
  const broken = unusable.find(({ folder }) => folder === slug);
  return broken ? broken.problems.map(({ message }) => message).join(' ') : 'Its folder was removed from this installation.';
}
