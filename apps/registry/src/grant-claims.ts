import type { GrantClaims, TicketClaims } from '@skillgate/contracts/tokens';
import type { Opening } from './open-tools.js';

/** A ticket that asks for a turn, not for files alone. */
export type TurnTicket = TicketClaims & Required<Pick<TicketClaims, 'chat' | 'turn'>>;

export const isTurnTicket = (ticket: TicketClaims): ticket is TurnTicket => ticket.chat !== undefined && ticket.turn !== undefined;

/**
 * One grant for each executor, listing that executor's tools and no other's, under the names that it knows. What its user has to confirm call
 * by call stands in none.
 *
 * @param times in seconds: now, since the epoch, and how long a grant lives
 * @param newId makes a `jti`
 * @param integrationsOf the outside systems that a tool works with: for those alone its executor is leased credentials
 */
export function grantClaims(
  openings: readonly Opening[],
  ticket: TurnTicket,
  policyEpoch: number,
  times: { readonly now: number; readonly life: number },
  newId: () => string,
  integrationsOf: (tool: Opening['tool']) => readonly string[] = () => [],
): GrantClaims[] {
  const byExecutor = new Map<string, { tools: Record<string, string>; integrations: Set<string> }>();
  for (const { tool, receipt, policy } of openings) {
    if (policy !== 'allow') continue;
    const held = byExecutor.get(tool.executor) ?? { tools: {}, integrations: new Set() };
    for (const integration of integrationsOf(tool)) held.integrations.add(integration);
    held.tools[tool.ownName] = `${receipt.skill}@${receipt.version}#${receipt.digest}`;
    byExecutor.set(tool.executor, held);
  }
  const { account, user, chat, turn } = ticket;
  // A grant never outlives the ticket that asked for it.
  const exp = Math.min(times.now + times.life, ticket.exp);
  return [...byExecutor].map(([aud, { tools, integrations }]) => ({
    iss: 'registry',
    typ: 'grant',
    aud,
    account,
    user,
    chat,
    turn,
    tools,
    ...(integrations.size > 0 && { integrations: [...integrations] }),
    policyEpoch,
    iat: times.now,
    exp,
    jti: newId(),
  }));
}
