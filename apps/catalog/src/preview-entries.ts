import type { previewEntries } from '@skillgate/contracts/calls/catalog';
import type { CallAnswer, CallParsedInput } from '@skillgate/contracts/define-call';
import { standingOf } from '@skillgate/gating/standing';
import { toolsAllowed } from '@skillgate/gating/tools-allowed';
import { alwaysLoad, alwaysWarnings } from './always-load.js';
import { entryOf } from './catalog-entry.js';
import { situationOf, type CatalogRoom } from './catalog-room.js';
import { decideShelf } from './decide-shelf.js';

/** The lines of the next turn, decided as that turn decides them. Refusals: `ticket-invalid`, `ticket-expired`. */
export async function previewOf(room: CatalogRoom, input: CallParsedInput<typeof previewEntries>): Promise<CallAnswer<typeof previewEntries>> {
  const ticket = await room.checkTicket(input.ticket);
  const [shelf, { situation, policyEpoch }] = await Promise.all([room.shelfOf(ticket.account), situationOf(room, ticket, input)]);
  const decided = decideShelf(shelf, situation).flatMap(({ decision, offered }) => (offered ? [{ decision, version: offered }] : []));
  const always = alwaysLoad(decided, room.alwaysBudget);
  const entries = decided.filter(({ decision }) => standingOf(decision) === 'listed').map(({ version }) => entryOf(version));
  return { toolsAllowed: toolsAllowed(situation), entries, always, warnings: alwaysWarnings(always), policyEpoch };
}
