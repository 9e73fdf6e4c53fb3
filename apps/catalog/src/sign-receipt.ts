import type { LoadedSkill } from '@skillgate/contracts/calls/catalog';
import type { PackageFileFacts } from '@skillgate/contracts/calls/skill-versions';
import type { Signer } from '@skillgate/service-kit/signing';
import type { TurnTicket } from './check-ticket.js';
import type { SkillVersion } from './skill-version.js';

/** The instructions with the proof that they were loaded for this ticket; it lives no longer than the ticket. */
export async function withReceipt(signer: Signer, ticket: TurnTicket, skill: SkillVersion, policyEpoch: number): Promise<LoadedSkill> {
  const { slug, version, digest, requires, body, source = 'platform' } = skill;
  const files = readable(skill);
  const receipt = await signer.sign({
    typ: 'receipt',
    ticket: ticket.jti,
    account: ticket.account,
    chat: ticket.chat,
    turn: ticket.turn,
    skill: slug,
    version,
    digest,
    requires,
    policyEpoch,
    exp: ticket.exp,
  });
  return { slug, version, digest, instructions: body, source, requires, receipt, ...(files.length > 0 && { files }) };
}

/** What a model may read beside the instructions: not the instructions themselves, nor the sentences by which routing is measured. */
export const readable = ({ files = [] }: SkillVersion): PackageFileFacts[] => files.filter(({ path }) => path !== 'SKILL.md' && path !== 'routing.yaml');
