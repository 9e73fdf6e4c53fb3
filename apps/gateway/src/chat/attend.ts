import type { Principal } from '@skillgate/contracts/calls/accounts';
import { cancelTurn } from '@skillgate/contracts/calls/orchestrator';
import { mintTicket } from '../ticket.js';
import type { TurnHouse } from './turn-house.js';

/** A client's presence at a turn, as the other gateways see it. */
export interface Attendance {
  /** Resolves when the others can see it. */
  readonly ready: Promise<void>;
  /** The client left before the turn ended: the turn is cancelled unless somebody reads it in `graceMs` milliseconds. */
  leave(graceMs: number): void;
  /** The turn has ended, or never began: nothing is left to cancel. */
  end(): void;
}

/**
 * Lets others see that a client reads this turn, and for a while after it left that it may come back.
 *
 * A turn runs for the client that asked for it: its gateway has the duty to cancel when nobody reads any more. Who is
 * found reading by then takes the duty over, so that it goes wherever the client went, and a mere onlooker has none.
 */
export function attend(house: TurnHouse, principal: Principal, turn: string, duty: boolean): Attendance {
  const { wire, log } = house;
  let hasDuty = duty;
  const presence = wire.attendTurn(turn, () => (hasDuty = true));

  const giveUp = async () => {
    presence.close(); // first: of two who ask each other, one at least must find nobody
    if (!hasDuty) return;
    try {
      if (await wire.isTurnAttended(turn)) return;
      await cancel(house, principal, turn);
    } catch (error) {
      log.warn({ err: error, turn }, 'a turn that nobody may be waiting for could not be cancelled; it runs to its own end');
    }
  };

  return {
    ready: presence.ready,
    end: () => presence.close(),
    leave: (graceMs) => {
      if (hasDuty) log.info({ turn, graceMs }, 'the reader of a turn left; it is cancelled unless somebody reads on in time');
      setTimeout(() => void giveUp(), graceMs).unref(); // a gateway that stops leaves the turn to the client's next one
    },
  };
}

async function cancel({ wire, signer, log }: TurnHouse, principal: Principal, turn: string): Promise<void> {
  const { status } = await wire.call(cancelTurn, { ticket: await mintTicket(signer, principal), turn });
  log.info({ turn, status }, 'nobody waits for this turn any more');
}
