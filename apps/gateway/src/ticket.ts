import type { Principal } from '@skillgate/contracts/calls/accounts';
import type { SkillStates } from '@skillgate/contracts/words';
import type { Signer } from '@skillgate/service-kit/signing';

/** Longest life of a ticket in seconds: a turn's longest time, and no right of its own outlives it. */
export const ticketSeconds = 15 * 60;

export interface TurnScope {
  chat: string;
  turn: string;
  overrides: SkillStates;
}

/** Signs what the gateway knows of a request: who asks and, for a turn, for which. Without a scope it opens files and reads. */
export const mintTicket = (signer: Signer, principal: Principal, scope?: TurnScope): Promise<string> =>
  signer.sign({
    typ: 'ticket',
    account: principal.account,
    user: principal.user,
    ...scope,
    policyEpoch: principal.policyEpoch,
    exp: Math.floor(Date.now() / 1000) + ticketSeconds,
  });
