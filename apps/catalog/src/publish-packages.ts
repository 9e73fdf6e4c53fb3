import type { publishSkills } from '@skillgate/contracts/calls/skill-versions';
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
  return { published, findings, unused };
}
