import type { Principal } from '@skillgate/contracts/calls/accounts';
import type { PersonaRef } from '@skillgate/contracts/tokens';
import type { SkillStates } from '@skillgate/contracts/words';
import type { Signer } from '@skillgate/service-kit/signing';

/** Longest life of a ticket in seconds: a turn's longest time, and no right of its own outlives it. */
export const ticketSeconds = 15 * 60;

/** Life of an authority: longer than any call that it rides on. */
export const authoritySeconds = 60;

export interface TurnScope {
  chat: string;
  turn: string;
  overrides: SkillStates;
  /** As whom the model answers. */
  persona?: PersonaRef;
}

/**
 * Signs what the gateway knows of a request: who asks and, for a turn, for which. Without a scope it opens files and reads.
 * It says nothing of roles, for it lives long and goes through many hands.
 */
export const mintTicket = (signer: Signer, principal: Principal, scope?: TurnScope): Promise<string> =>
  signer.sign({ ...bearerOf(principal), ...scope, exp: inSeconds(ticketSeconds) });

/**
 * A ticket with the roles of who asks, for one call that changes or reads what the roles decide on.
 *
 * @param about a chat that was shown to be the user's own; a persona of the account
 */
export const mintAuthority = (signer: Signer, principal: Principal, about: Partial<Pick<TurnScope, 'chat' | 'persona'>> = {}): Promise<string> => {
  const { roles, key, subject } = principal;
  return signer.sign({ ...bearerOf(principal), ...about, roles, ...(key ? { key } : { subject }), exp: inSeconds(authoritySeconds) });
};

const bearerOf = ({ account, user, policyEpoch, limits }: Principal) => ({
  typ: 'ticket' as const,
  ...{ account, user, policyEpoch },
  ...(limits ? { limits } : {}),
});

const inSeconds = (seconds: number): number => Math.floor(Date.now() / 1000) + seconds;
