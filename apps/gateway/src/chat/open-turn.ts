import { randomUUID } from 'node:crypto';
import type { Principal } from '@skillgate/contracts/calls/accounts';
import { cancelTurn } from '@skillgate/contracts/calls/orchestrator';
import { isRefusal, isUnavailable } from '@skillgate/contracts/refusal';
import { personaOfModel } from '../personas.js';
import { mintTicket } from '../ticket.js';
import type { ChatRequest } from './chat-request.js';
import type { Idempotency } from './idempotency-key.js';
import { listenTurn, type Listening } from './listen-turn.js';
import { recogniseClient } from './recognise-client.js';
import { askForTurn } from './start-turn.js';
import type { TurnHouse } from './turn-house.js';
import { turnRequest, type TurnRequest } from './turn-request.js';

export interface OpenTurn {
  turn: string;
  chat: string;
  model: string;
  listening: Listening;
  /** Options that were left out. */
  dropped: readonly string[];
  /** An earlier request of the same key began it, and it is not listened to. */
  replayed: boolean;
}

/**
 * Starts a turn and listens to it, in the other order: a subscription that stands before the turn is asked for misses
 * nothing. Refusals: those of `start-turn`.
 *
 * @param options `patienceMs`: milliseconds in which it is asked for again while nobody says that it has begun
 */
export async function openTurn(
  house: TurnHouse,
  principal: Principal,
  request: ChatRequest,
  { patienceMs, idempotency }: { patienceMs?: number; idempotency?: Idempotency | undefined } = {},
): Promise<OpenTurn> {
  const asked = turnRequest(request);
  const named = request.skillgate?.chat_id;
  if (named) return openIn(house, principal, request, { ...asked, chat: named, idempotency }, patienceMs);
  const { transcript, goesOn } = await recogniseClient(house, principal, asked.messages);
  const anew = (as: typeof transcript) => openIn(house, principal, request, { ...asked, chat: randomUUID(), transcript: as, idempotency }, patienceMs);
  if (!goesOn) return anew(transcript);
  try {
    return await openIn(house, principal, request, { ...asked, ...goesOn, stateful: true, transcript, idempotency }, patienceMs);
  } catch (error) {
    // Somebody else went on with it in the meantime: what this client has leaves it.
    if (!['turn-in-progress', 'chat-moved', 'unknown-chat'].some((slug) => isRefusal(error, slug))) throw error;
    return anew({ how: 'forked', hash: transcript.hash, from: goesOn.chat });
  }
}

type Asked = TurnRequest & { chat: string; idempotency: Idempotency | undefined };

async function openIn(house: TurnHouse, principal: Principal, request: ChatRequest, { chat, model, idempotency, ...rest }: Asked, patienceMs?: number): Promise<OpenTurn> {
  const { wire, signer, log } = house;
  const turn = randomUUID();
  const found = await personaOfModel(wire, signer, principal, request.model);
  // A persona brings a model of its own, which the orchestrator knows from where it knows the persona.
  const asked = { ...rest, ...(!found && { model }), ...(idempotency && { idempotency }) };
  const scope = { chat, turn, overrides: request.skillgate?.skills ?? {}, ...(found && { persona: found.ref }) };
  const ticket = await mintTicket(signer, found?.principal ?? principal, scope);
  const listening = listenTurn(house, principal, turn, true);
  try {
    await listening.ready;
    const { dropped = [], replayed = false, ...started } = await askForTurn(wire, { ticket, ...asked }, patienceMs);
    if (replayed) {
      listening.close();
      listening.attendance.end();
    }
    return { ...started, listening, dropped, replayed };
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
