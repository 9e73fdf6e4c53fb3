import { grantSeconds, type GrantClaims, type TicketClaims } from '@skillgate/contracts/tokens';
import type { Opening } from './open-tools.js';

/** A ticket that asks for a turn, not for files alone. */
export type TurnTicket = TicketClaims & Required<Pick<TicketClaims, 'chat' | 'turn'>>;

export const isTurnTicket = (ticket: TicketClaims): ticket is TurnTicket => ticket.chat !== undefined && ticket.turn !== undefined;

/**
 * One grant for each executor, listing that executor's tools and no other's.
 *
 * @param seconds now, since the epoch
 * @param newId makes a `jti`
 */
export function grantClaims(
  openings: readonly Opening[],
  ticket: TurnTicket,
  policyEpoch: number,
  seconds: number,
  newId: () => string,
): GrantClaims[] {
  const byExecutor = new Map<string, Record<string, string>>();
  for (const { tool, receipt } of openings) {
    const tools = byExecutor.get(tool.executor) ?? {};
    tools[tool.tool] = `${receipt.skill}@${receipt.version}#${receipt.digest}`;
    byExecutor.set(tool.executor, tools);
  }
  const { account, user, chat, turn } = ticket;
  // A grant never outlives the ticket that asked for it.
  const exp = Math.min(seconds + grantSeconds, ticket.exp);
  return [...byExecutor].map(([aud, tools]) => ({
    iss: 'registry',
    typ: 'grant',
    aud,
    account,
    user,
    chat,
    turn,
    tools,
    policyEpoch,
    iat: seconds,
    exp,
    jti: newId(),
  }));
}
