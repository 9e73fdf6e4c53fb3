import { randomUUID } from 'node:crypto';
import type { Principal } from '@skillgate/contracts/calls/accounts';
import { cancelTurn, startTurn } from '@skillgate/contracts/calls/orchestrator';
import { isUnavailable } from '@skillgate/contracts/refusal';
import { mintTicket } from '../ticket.js';
import type { ChatRequest } from './chat-request.js';
import type { TurnHouse } from './run-turn.js';
import { TurnQueue } from './turn-queue.js';
import { turnRequest } from './turn-request.js';

export interface OpenTurn {
  turn: string;
  chat: string;
  model: string;
  queue: TurnQueue;
  /** Stops listening; to be called in any case. */
  close(): void;
}

/**
 * Starts a turn and listens to it, in the other order: a subscription that stands before the turn is asked for misses
 * nothing. Refusals: those of `start-turn`.
 */
export async function openTurn({ wire, signer, log }: TurnHouse, principal: Principal, request: ChatRequest): Promise<OpenTurn> {
  const turn = randomUUID();
  const chat = request.skillgate?.chat_id ?? randomUUID();
  const asked = turnRequest(request);
  const ticket = await mintTicket(signer, principal, { chat, turn, overrides: request.skillgate?.skills ?? {} });
  const queue = new TurnQueue();
  const subscription = wire.subscribeTurn(turn, (message) => queue.push(message));
  const close = () => {
    subscription.close();
    queue.close();
  };
  try {
    await subscription.ready;
    const started = await wire.call(startTurn, { ticket, ...asked });
    return { turn, chat: started.chat, model: started.model, queue, close };
  } catch (error) {
    close();
    // It may have begun all the same, with nobody to listen and its chat kept busy.
    if (isUnavailable(error))
      wire
        .call(cancelTurn, { ticket, turn })
        .catch((err: unknown) => log.info({ err, turn }, 'a turn that may not have begun was not cancelled'));
    throw error;
  }
}
