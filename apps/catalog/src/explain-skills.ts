import type { explainSkills } from '@skillgate/contracts/calls/catalog';
import type { CallAnswer, CallParsedInput } from '@skillgate/contracts/define-call';
import { resolveSkill } from '@skillgate/gating/resolve';
import { situationOf, type CatalogRoom } from './catalog-room.js';
import { unknownSkill } from './load-skill.js';

/**
 * Every skill that was ever published and is not hidden, as it stands for the ticket's account. Refusals: `ticket-invalid`,
 * `ticket-expired`, and `unknown-skill` when one is asked for that is not among them.
 */
export async function explain(room: CatalogRoom, input: CallParsedInput<typeof explainSkills>): Promise<CallAnswer<typeof explainSkills>> {
  const ticket = await room.checkTicket(input.ticket);
  const [shelf, { situation }] = await Promise.all([room.shelf.current(), situationOf(room, ticket, input)]);
  const skills = [];
  for (const { facts, last } of shelf.values()) {
    if (facts.hidden || !last || (input.skill !== undefined && facts.slug !== input.skill)) continue;
    skills.push({ ...resolveSkill(facts, situation), version: last.version, digest: last.digest, title: last.title });
  }
  if (input.skill !== undefined && skills.length === 0) throw unknownSkill(input.skill);
  return { skills };
}
