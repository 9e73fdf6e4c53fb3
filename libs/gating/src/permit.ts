import type { Actor } from '@skillgate/contracts/audit';
import { refuse } from '@skillgate/contracts/refusal';
import type { TicketClaims } from '@skillgate/contracts/tokens';
import { may, type Action, type Target } from './may.js';

/**
 * Decides on a change by the authority that came with it, whatever the caller had decided before, and says who makes it,
 * for the audit log.
 *
 * @param verify checks the gateway's signature; refuses `ticket-invalid` and `ticket-expired`
 * @throws those, `authority-missing`, and `not-allowed`
 */
export async function permit(
  verify: (ticket: string) => Promise<TicketClaims>,
  authority: string | undefined,
  action: Action,
  target: Target = {},
): Promise<Actor> {
  if (!authority) throw refuse('authority-missing', 'A change needs the ticket of whoever makes it; send it as "authority".');
  const { account, user, roles = [], key, subject, turn } = await verify(authority);
  // Tickets of turns go from service to service; one that was left lying about shall change nothing.
  if (turn) throw refuse('authority-missing', 'The ticket of a turn changes nothing; send one that was signed for this request.');
  const answer = may({ account, user, roles }, action, target);
  if (answer !== true) throw refuse(answer.slug, answer.message);
  return { account, user, roles: [...roles], ...(key && { key }), ...(subject && { subject }) };
}
