import type { Principal } from '@skillgate/contracts/calls/accounts';
import { getTurn } from '@skillgate/contracts/calls/orchestrator';
import type { CallOutput } from '@skillgate/contracts/define-call';
import type { TurnMessage } from '@skillgate/contracts/turn-stream';
import type { Log } from '@skillgate/service-kit/log';
import type { Signer } from '@skillgate/service-kit/signing';
import type { TurnPlace } from '@skillgate/wire/read-turn';
import type { Wire } from '@skillgate/wire/wire';
import type { GatewayConfig } from '../config.js';
import { mintTicket } from '../ticket.js';
import type { TurnQueue } from './turn-queue.js';

/** What a client's turn takes. */
export interface TurnHouse {
  wire: Pick<Wire, 'call' | 'subscribeTurn' | 'readTurn' | 'attendTurn' | 'isTurnAttended' | 'status'>;
  signer: Signer;
  config: GatewayConfig;
  log: Log;
  /** Of the clients that follow a turn now. */
  queues: Set<TurnQueue>;
}

/** With a ticket of its own each time: a turn may outlive the one that it was started with. Refusal: `unknown-turn`. */
export const askJournal = async ({ wire, signer }: TurnHouse, principal: Principal, turn: string): Promise<CallOutput<typeof getTurn>> =>
  wire.call(getTurn, { ticket: await mintTicket(signer, principal), turn });

/** What the stream still has of a turn behind `after`; null when it has lost it or cannot be read. */
export async function recallTurn({ wire, log }: TurnHouse, turn: string, after?: TurnPlace): Promise<TurnMessage[] | null> {
  try {
    return await wire.readTurn(turn, after);
  } catch (error) {
    log.warn({ err: error, turn }, 'the stream of turns could not be read; the journal is asked in its place');
    return null;
  }
}
