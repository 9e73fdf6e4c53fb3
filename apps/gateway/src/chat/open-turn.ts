import { randomUUID } from 'node:crypto';
import type { Principal } from '@skillgate/contracts/calls/accounts';
import { cancelTurn } from '@skillgate/contracts/calls/orchestrator';
import { isUnavailable } from '@skillgate/contracts/refusal';
import { personaOfModel } from '../personas.js';
import { mintTicket } from '../ticket.js';
import type { ChatRequest } from './chat-request.js';
import { listenTurn, type Listening } from './listen-turn.js';
import { askForTurn } from './start-turn.js';
import type { TurnHouse } from './turn-house.js';
import { turnRequest } from './turn-request.js';

export interface OpenTurn {
  turn: string;
  chat: string;
  model: string;
  listening: Listening;
  /** Options that were left out. */
  dropped: readonly string[];
}

/**
 * Starts a turn and listens to it, in the other order: a subscription that stands before the turn is asked for misses
 * nothing. Refusals: those of `start-turn`.
 *
 * @param patienceMs milliseconds in which it is asked for again while nobody says that it has begun
 */
export async function openTurn(house: TurnHouse, principal: Principal, request: ChatRequest, patienceMs?: number): Promise<OpenTurn> {
  const { wire, signer, log } = house;
  const turn = randomUUID();
  const chat = request.skillgate?.chat_id ?? randomUUID();
  const { model, ...rest } = turnRequest(request);
  const found = await personaOfModel(wire, signer, principal, request.model);
  // A persona brings a model of its own, which the orchestrator knows from where it knows the persona.
  const asked = found ? rest : { ...rest, model };
  const scope = { chat, turn, overrides: request.skillgate?.skills ?? {}, ...(found && { persona: found.ref }) };
  const ticket = await mintTicket(signer, found?.principal ?? principal, scope);
  const listening = listenTurn(house, principal, turn, true);
  try {
    await listening.ready;
    const started = await askForTurn(wire, { ticket, ...asked }, patienceMs);
    return { turn, chat: started.chat, model: started.model, listening, dropped: started.dropped ?? [] };
  } catch (error) {
    listening.close();
    listening.attendance.end();
    // It may have begun all the same, with nobody to listen and its chat kept busy.
    if (isUnavailable(error))
      wire
        .call(cancelTurn, { ticket, turn })
        .catch((err: unknown) => log.info({ err, turn }, 'a turn that may not have begun was not cancelled'));
    throw error;
  }
}
