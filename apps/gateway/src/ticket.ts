import type { Principal } from '@skillgate/contracts/calls/accounts';
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
}

/**
 * Signs what the gateway knows of a request: who asks and, for a turn, for which. Without a scope it opens files and reads.
 * It says nothing of roles, for it lives long and goes through many hands.
 */
export const mintTicket = (signer: Signer, principal: Principal, scope?: TurnScope): Promise<string> =>
  signer.sign({ ...bearerOf(principal), ...scope, exp: inSeconds(ticketSeconds) });

/** A ticket with the roles of who asks, for one call that changes or reads what the roles decide on. */
export const mintAuthority = (signer: Signer, principal: Principal): Promise<string> => {
  const { roles, key, subject } = principal;
  return signer.sign({ ...bearerOf(principal), roles, ...(key ? { key } : { subject }), exp: inSeconds(authoritySeconds) });
};

const bearerOf = ({ account, user, policyEpoch, limits }: Principal) => ({
  typ: 'ticket' as const,
  ...{ account, user, policyEpoch },
  ...(limits ? { limits } : {}),
});

const inSeconds = (seconds: number): number => Math.floor(Date.now() / 1000) + seconds;
