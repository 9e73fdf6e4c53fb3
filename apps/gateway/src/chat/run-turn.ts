import type { Principal } from '@skillgate/contracts/calls/accounts';
import { cancelTurn, getTurn } from '@skillgate/contracts/calls/orchestrator';
import type { Log } from '@skillgate/service-kit/log';
import type { Signer } from '@skillgate/service-kit/signing';
import type { Wire } from '@skillgate/wire/wire';
import type { GatewayConfig } from '../config.js';
import { mintTicket } from '../ticket.js';
import { followTurn } from './follow-turn.js';
import type { OpenTurn } from './open-turn.js';
import type { TurnEvent } from './turn-reader.js';

export interface TurnHouse {
  wire: Pick<Wire, 'call' | 'subscribeTurn' | 'status'>;
  signer: Signer;
  config: GatewayConfig;
  log: Log;
}

/** Everything that an opened turn shows. Whoever stops reading before its end cancels it. */
export async function* runTurn(house: TurnHouse, opened: OpenTurn, principal: Principal): AsyncGenerator<TurnEvent, void, undefined> {
  const { wire, signer, config, log } = house;
  const { turn, queue } = opened;
  let ended = false;
  try {
    const events = followTurn({
      queue,
      // A ticket of its own each time: the turn may outlive the one that it was started with.
      ask: async () => wire.call(getTurn, { ticket: await mintTicket(signer, principal), turn }),
      onJournalError: (error) => log.warn({ err: error, turn }, 'the journal could not be read; it is asked again'),
      connectedSince: () => wire.status().since,
      silenceMs: config.SKILLGATE_STREAM_SILENCE_MS,
      lostMs: config.SKILLGATE_STREAM_LOST_MS,
      limitMs: config.SKILLGATE_TURN_LIMIT_MS,
    });
    for await (const event of events) {
      if (event.type === 'ended') ended = true;
      yield event;
    }
  } finally {
    opened.close();
    if (!ended) await cancel(house, turn, principal);
  }
}

async function cancel({ wire, signer, log }: TurnHouse, turn: string, principal: Principal): Promise<void> {
  try {
    const { status } = await wire.call(cancelTurn, { ticket: await mintTicket(signer, principal), turn });
    log.info({ turn, status }, 'nobody waits for this turn any more');
  } catch (error) {
    log.warn({ err: error, turn }, 'a turn that nobody waits for could not be cancelled; it runs to its own end');
  }
}
