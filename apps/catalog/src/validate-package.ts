import type { validateSkills } from '@skillgate/contracts/calls/skill-versions';
import type { CallAnswer, CallParsedInput } from '@skillgate/contracts/define-call';
import { permit } from '@skillgate/gating/permit';
import { importSkills } from '@skillgate/skill-format/import/import-skills';
import type { CatalogRoom } from './catalog-room.js';
import { fetchPackage } from './fetch-package.js';
import { errorsIn, judged, vocabularyOf } from './judge-package.js';

/** Findings in an answer: more would not fit into a message, and nobody reads them at once. */
const mostFindings = 300;

/** What publishing would say, and nothing is written. A skill that cannot be read is in the answer with its reasons. Refusals: as the contract of the call says. */
export async function validatePackage(room: CatalogRoom, { authority, artifact, mode }: CallParsedInput<typeof validateSkills>): Promise<CallAnswer<typeof validateSkills>> {
  const { account, user } = await room.checkTicket(authority);
  await permit(room.checkTicket, authority, 'validate-skills', { account, user });
  const [files, vocabulary] = await Promise.all([fetchPackage(room.ask, authority, artifact), vocabularyOf(room)]);
  const { skills, invalid, unused } = importSkills(files, { mode, vocabulary });
  const read = judged(skills, vocabulary);
  const findings = [...read.flatMap((each) => each.findings), ...invalid.flatMap(({ problems }) => problems)];
  const errors = errorsIn(findings).length;
  return {
    skills: [
      ...read.map(({ skill: { slug, version, digest }, findings: found }) => ({ folder: slug, version, digest, usable: errorsIn(found).length === 0 })),
      ...invalid.map(({ folder }) => ({ folder, version: null, digest: null, usable: false })),
    ],
    ...{ errors, warnings: findings.length - errors },
    findings: findings.slice(0, mostFindings),
    unused: [...unused],
  };
}
