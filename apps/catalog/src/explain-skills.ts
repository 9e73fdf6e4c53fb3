import type { explainSkills } from '@skillgate/contracts/calls/catalog';
import type { CallAnswer, CallParsedInput } from '@skillgate/contracts/define-call';
import { refuse } from '@skillgate/contracts/refusal';
import type { TicketClaims } from '@skillgate/contracts/tokens';
import { may } from '@skillgate/gating/may';
import { requirementsOf } from '@skillgate/gating/requirements-of';
import { alwaysLoad, alwaysWarnings } from './always-load.js';
import { situationOf, type CatalogRoom, type Standpoint } from './catalog-room.js';
import { decideShelf } from './decide-shelf.js';
import { unknownSkill } from './load-skill.js';
import { wouldOpen } from './would-open.js';

type Asked = CallParsedInput<typeof explainSkills>;

/**
 * Every skill that was ever published and is not hidden, as it stands for an account, a persona and a chat: the decision that a turn
 * would make. Refusals: `ticket-invalid`, `ticket-expired`, `not-allowed`, `unknown-account`, `unknown-persona`, and `unknown-skill` when one is
 * asked for that is not among them.
 */
export async function explain(room: CatalogRoom, input: Asked): Promise<CallAnswer<typeof explainSkills>> {
  const ticket = await room.checkTicket(input.ticket);
  const standpoint = standpointOf(ticket, input);
  const [shelf, { situation, policyEpoch }] = await Promise.all([room.shelfOf(standpoint.account), situationOf(room, standpoint, input)]);
  const decided = decideShelf(shelf, situation).flatMap(({ decision, facts, offered, last }) => (last ? [{ decision, version: last, facts, offered }] : []));
  const told = decided.filter(({ facts }) => !facts.hidden && (input.skill === undefined || facts.slug === input.skill));
  if (input.skill !== undefined && told.length === 0) throw unknownSkill(input.skill);
  const opens = input.opens ? await wouldOpen(room, input, standpoint, told.map(({ version }) => version)) : null;
  const skills = told.map(({ decision, version }) => ({
    ...decision,
    requirements: requirementsOf(version.requires, decision),
    version: version.version,
    digest: version.digest,
    title: version.title,
    ...(opens && { opens: opens.of(version) }),
  }));
  const always = alwaysLoad(decided.filter(({ offered }) => offered), room.alwaysBudget);
  const warnings = [...alwaysWarnings(always), ...(opens?.warnings ?? [])];
  return { skills, always, warnings, policyEpoch };
}

/** From where it is looked: what the ticket itself proves is free; for the rest its roles must reach. */
function standpointOf(ticket: TicketClaims, { account = ticket.account, persona, chat }: Asked): Standpoint {
  const own = account === ticket.account;
  if (!own) require(ticket, 'read-account', account);
  if (chat !== undefined && (!own || chat !== ticket.chat)) require(ticket, 'read-account', account);
  const { policyEpoch, overrides } = ticket;
  const seenAs = persona ? { persona: { slug: persona } } : own && ticket.persona ? { persona: ticket.persona } : {};
  const seenIn = chat ?? (own ? ticket.chat : undefined);
  return { account, policyEpoch: own ? policyEpoch : 0, overrides: own ? overrides : {}, foreign: !own, ...seenAs, ...(seenIn && { chat: seenIn }) };
}

function require({ account, user, roles = [] }: TicketClaims, action: 'read-account', target: string): void {
  const answer = may({ account, user, roles }, action, { account: target });
  if (answer !== true) throw refuse(answer.slug, answer.message);
}
