import type { Principal } from '@skillgate/contracts/calls/accounts';
import { attend, type Attendance } from './attend.js';
import type { TurnHouse } from './turn-house.js';
import { TurnQueue } from './turn-queue.js';

/** One client at a turn that runs, or is about to. */
export interface Listening {
  readonly turn: string;
  readonly queue: TurnQueue;
  readonly attendance: Attendance;
  /** Resolves when nothing more of the turn is missed; rejects when the broker refuses. */
  readonly ready: Promise<unknown>;
  /** Stops listening; to be called in any case. */
  close(): void;
}

/** @param duty does the turn run for this client? @throws Unavailable at once while the wire is down */
export function listenTurn(house: TurnHouse, principal: Principal, turn: string, duty: boolean): Listening {
  const { wire, queues, log } = house;
  const queue = new TurnQueue();
  const subscription = wire.subscribeTurn(turn, (message) => queue.push(message));
  const attendance = attend(house, principal, turn, duty);
  queues.add(queue);
  return {
    turn,
    queue,
    attendance,
    ready: Promise.all([subscription.ready, attendance.ready]),
    close: () => {
      subscription.close();
      queue.close();
      if (!queues.delete(queue) || queue.dropped === 0) return;
      log.info({ turn, dropped: queue.dropped }, 'a client read more slowly than its turn spoke; stream or journal made up for it');
    },
  };
}
