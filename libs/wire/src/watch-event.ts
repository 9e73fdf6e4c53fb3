import type { Event, EventPayload } from '@skillgate/contracts/define-event';
import { isHouseError } from '@skillgate/contracts/refusal';
import { eventStream } from '@skillgate/contracts/streams';
import type { Msg } from '@nats-io/transport-node';
import type { DeliveryFacts } from './ack-subject.js';
import type { Hearing } from './connection.js';
import type { Recalled } from './delivery.js';
import { type Ephemeral, openEphemeral } from './ephemeral-consumer.js';
import { recall } from './read-events.js';
import type { WireParts } from './serve-subject.js';

const heartbeatMs = 5_000;
const silenceMs = 12_500; // two heartbeats missed, and some
const firstRetryMs = 250;
const lastRetryMs = 5_000;

/**
 * Tells this instance of every event from now on, in order and without holes: what was missed while the connection was
 * down comes when it stands again.
 */
export function watchEvent<E extends Event>(parts: WireParts, event: E, onEvent: (payload: EventPayload<E>, about: Recalled) => void): Hearing {
  const { connection, requests } = parts;
  const { log, service } = connection;
  const { subject } = event;
  const stream = eventStream(event.owner).name;
  let from: number | 'all' | 'new' = 'new';
  let open: Ephemeral | undefined;
  let stopped = false;
  let lose: () => void = () => undefined;
  let wake: () => void = () => undefined;
  let problem: string | undefined;

  const tell = (message: Msg, facts: DeliveryFacts) => {
    const recalled = recall(parts, event, message, facts);
    if (!recalled) return;
    try {
      onEvent(recalled.payload, recalled.about);
    } catch (err) {
      log.error({ err, subject }, `"${service}" watches an event and failed over one`);
    }
  };
  const untilLost = async (opened: () => void): Promise<void> => {
    let consumerSeq = 0;
    let silence: NodeJS.Timeout | undefined;
    const lost = new Promise<void>((resolve) => (lose = resolve));
    const alive = () => {
      clearTimeout(silence);
      silence = setTimeout(lose, silenceMs);
    };
    const stopDown = connection.onDown(lose);
    try {
      const mine = await openEphemeral(connection, requests, { stream, filter: subject, from, heartbeatMs }, (message, facts) => {
        alive();
        if (!facts || stopped) return;
        consumerSeq += 1;
        if (facts.consumerSeq !== consumerSeq) return lose(); // a hole: read again from behind the last one
        from = facts.streamSeq + 1;
        tell(message, facts);
      });
      open = mine;
      if (consumerSeq === 0) from = mine.after + 1;
      alive();
      if (stopped) mine.close();
      opened();
      await lost;
    } finally {
      stopDown();
      clearTimeout(silence);
      open?.close();
    }
  };
  const run = async (ready: () => void, denied: (error: Error) => void): Promise<void> => {
    const stopUp = connection.onUp(() => wake());
    for (let retryMs = firstRetryMs; !stopped; retryMs = Math.min(retryMs * 2, lastRetryMs)) {
      try {
        await untilLost(() => {
          if (problem) log.info({ subject }, `"${subject}" is watched again`);
          problem = undefined;
          retryMs = firstRetryMs;
          ready();
        });
      } catch (error) {
        if (isHouseError(error) && error.slug === 'not-permitted') denied(error);
        if (isHouseError(error) && error.slug === 'stream-missing' && from === 'new') from = 'all'; // whatever comes is new
        const why = (error as Error).message;
        if (why !== problem && !stopped) log.warn({ subject, problem: why }, `"${subject}" is not watched now; it is tried again`);
        problem = why;
        ready();
      }
      if (stopped) break;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, retryMs);
        wake = () => (clearTimeout(timer), resolve());
      });
    }
    stopUp();
  };
  const close = () => {
    stopped = true;
    open?.close();
    lose();
    wake();
  };
  const ready = new Promise<void>((resolve, reject) => void run(resolve, reject));
  ready.catch(() => undefined); // whoever does not wait for it finds the denial in the log
  return { ready, drain: async () => close(), close };
}
