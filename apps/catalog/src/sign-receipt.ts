import type { LoadedSkill } from '@skillgate/contracts/calls/catalog';
import type { Signer } from '@skillgate/service-kit/signing';
import type { TurnTicket } from './check-ticket.js';
import type { SkillVersion } from './skill-version.js';

/** The instructions with the proof that they were loaded for this ticket; it lives no longer than the ticket. */
export async function withReceipt(signer: Signer, ticket: TurnTicket, skill: SkillVersion, policyEpoch: number): Promise<LoadedSkill> {
  const { slug, version, digest, requires, body } = skill;
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
  return { slug, version, digest, instructions: body, source: 'platform', requires, receipt };
}
