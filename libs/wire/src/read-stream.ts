import type { Msg } from '@nats-io/transport-node';
import { unavailable } from '@skillgate/contracts/refusal';
import type { DeliveryFacts } from './ack-subject.js';
import { openEphemeral } from './ephemeral-consumer.js';
import type { WireParts } from './serve-subject.js';

export interface Read {
  readonly message: Msg;
  readonly facts: DeliveryFacts;
}

const patienceMs = 5_000; // between two messages

/**
 * Reads what a stream has of one subject, at most `limit` messages from sequence `from` on, in order.
 *
 * @returns the messages, and whether the stream had no more
 * @throws Unavailable when the stream is missing or stops to deliver
 */
export async function readStream(
  { connection, requests }: WireParts,
  { stream, filter, from = 'all', limit = Infinity }: { stream: string; filter: string; from?: number | 'all'; limit?: number },
): Promise<{ read: Read[]; complete: boolean }> {
  const read: Read[] = [];
  let finish: () => void = () => undefined;
  let fail: (error: Error) => void = () => undefined;
  const done = new Promise<void>((resolve, reject) => {
    finish = resolve;
    fail = reject;
  });
  done.catch(() => undefined); // it may fail before anybody waits for it
  const late = () => fail(unavailable('deadline-passed', `Stream "${stream}" did not deliver "${filter}" within ${patienceMs} ms. Try again`));
  let timer = setTimeout(late, patienceMs);
  let complete = false;
  const stopDown = connection.onDown(fail);
  try {
    const reading = await openEphemeral(connection, requests, { stream, filter, from }, (message, facts) => {
      if (!facts || read.length >= limit) return;
      clearTimeout(timer);
      timer = setTimeout(late, patienceMs);
      read.push({ message, facts });
      complete = facts.pending === 0;
      if (complete || read.length >= limit) finish();
    });
    if (reading.waiting === 0) {
      complete = true;
      finish();
    }
    await done.finally(() => reading.close());
  } finally {
    clearTimeout(timer);
    stopDown();
  }
  return { read, complete };
}
