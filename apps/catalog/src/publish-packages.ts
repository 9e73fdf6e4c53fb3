import type { publishSkills, SkillFinding } from '@skillgate/contracts/calls/skill-versions';
import type { CallAnswer, CallParsedInput } from '@skillgate/contracts/define-call';
import { permit } from '@skillgate/gating/permit';
import type { CatalogRoom } from './catalog-room.js';
import { fetchPackage, packageInvalid } from './fetch-package.js';
import { errorsIn, judgePackage, vocabularyOf } from './judge-package.js';

/**
 * An operator publishes a package: every skill in it or none. Refusals: `skill-package-invalid` with each finding, `version-exists`,
 * `version-retired`, those of `permit` and of the artifact.
 */
export async function publishPackages(room: CatalogRoom, { authority, artifact, mode }: CallParsedInput<typeof publishSkills>): Promise<CallAnswer<typeof publishSkills>> {
  const actor = await permit(room.checkTicket, authority, 'publish-skills');
  const [files, vocabulary] = await Promise.all([fetchPackage(room.ask, authority, artifact), vocabularyOf(room)]);
  const { skills, unused } = judgePackage(files, mode, vocabulary);
  const findings = skills.flatMap((each) => each.findings);
  if (errorsIn(findings).length > 0) throw packageInvalid(errorsIn(findings));
  const packages = skills.map(({ findings: found, ...each }) => ({ ...each, problems: found.map(({ rule, message, line, column }) => ({ rule, message, line, column })) }));
  const published = await room.publication.publish(packages, actor);
  await room.shelf.lookAgain(); // whoever asks here next sees it
  const shadows = await Promise.all(published.map(({ slug }) => shadowFinding(room, slug)));
  return { published, findings: [...findings, ...shadows.flat()], unused };
}

/** Told and no reason to refuse: which names accounts bear must not stop the platform, but whoever takes one over should know it. */
async function shadowFinding({ accountSkills }: CatalogRoom, slug: string): Promise<SkillFinding[]> {
  const accounts = await accountSkills.holders(slug);
  if (accounts === 0) return [];
  const message = `${accounts === 1 ? 'One account has' : `${accounts} accounts have`} a skill called "${slug}" of their own; theirs is offered there no more, and this one is in its place.`;
  const advice = 'A name that was published stays the platform\'s. Tell the admins of accounts; their authors find it as shadowed in GET /api/v1/account-skills and save theirs under another name.';
  return [{ rule: 'shadows-account-skills', level: 'warning', slug, file: 'SKILL.md', line: 1, column: 1, message, advice }];
}
