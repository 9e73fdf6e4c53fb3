import type { loadSkill } from '@skillgate/contracts/calls/catalog';
import type { CallAnswer, CallParsedInput } from '@skillgate/contracts/define-call';
import { refuse, type HouseError } from '@skillgate/contracts/refusal';
import { resolveSkill } from '@skillgate/gating/resolve';
import { loadRefusal } from '@skillgate/gating/standing';
import { situationOf, type CatalogRoom } from './catalog-room.js';
import { turnOf } from './check-ticket.js';
import { withReceipt } from './sign-receipt.js';
import { refOf } from './skill-version.js';

/**
 * The gate: instructions and receipt, or the reason why not. Refusals: `ticket-invalid`, `ticket-expired`, `unknown-skill`, `skill-never`,
 * `skill-hidden`, `skill-unmet`, `skill-invalid`.
 */
export async function load(room: CatalogRoom, input: CallParsedInput<typeof loadSkill>): Promise<CallAnswer<typeof loadSkill>> {
  const ticket = turnOf(await room.checkTicket(input.ticket));
  // Looked up anew: what was retired a moment ago is loaded nowhere any more, whichever replica is asked.
  const [shelf, { situation, policyEpoch }] = await Promise.all([room.shelfOf(ticket.account, true), situationOf(room, ticket, input)]);
  const found = shelf.get(input.slug);
  if (!found) throw unknownSkill(input.slug);
  const decision = resolveSkill(found.facts, situation);
  const refusal = loadRefusal(decision, found.facts.hidden);
  if (refusal) throw refuse(refusal.slug, refusal.message);
  if (!found.offered) throw new Error(`${input.slug} is usable and has no offered version`);
  const { shown } = input;
  const replaces = shown && shown.slug === input.slug && shown.digest !== found.offered.digest ? { replaces: refOf(shown) } : {};
  return { ...(await withReceipt(room.signer, ticket, found.offered, policyEpoch)), ...replaces, layer: decision.layer, policyEpoch };
}

/** In the very words for a hidden skill: who asks for either learns nothing from the difference. */
export function unknownSkill(slug: string): HouseError {
  const asHidden = loadRefusal({ slug, state: 'never', layer: 'hidden', usable: false, unmet: [] }, true);
  return refuse('unknown-skill', asHidden!.message);
}
