import type { Msg } from '@nats-io/transport-node';
import { unavailable } from '@skillgate/contracts/refusal';
import type { DeliveryFacts } from './ack-subject.js';
import { openEphemeral } from './ephemeral-consumer.js';
import type { WireParts } from './serve-subject.js';

export interface Read {
  readonly message: Msg;
  readonly facts: DeliveryFacts;
}

export interface ReadOptions {
  readonly stream: string;
  readonly filter: string;
  readonly from?: number | 'all';
  readonly limit?: number;
  readonly maxBytes?: number;
}

const patienceMs = 5_000; // between two messages

/**
 * Reads what a stream has of one subject, in order, from sequence `from` on, at most `limit` messages and about
 * `maxBytes` of them.
 *
 * @returns the messages, and whether the stream had no more
 * @throws Unavailable when the stream is missing or stops to deliver
 */
export async function readStream(
  { connection, requests }: WireParts,
  { stream, filter, from = 'all', limit = Infinity, maxBytes = Infinity }: ReadOptions,
): Promise<{ read: Read[]; complete: boolean }> {
  const read: Read[] = [];
  let bytes = 0;
  const full = () => read.length >= limit || bytes >= maxBytes;
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
      if (!facts || complete || full()) return; // what was added after the end was reached is for the next read
      clearTimeout(timer);
      timer = setTimeout(late, patienceMs);
      read.push({ message, facts });
      bytes += message.data.length;
      complete = facts.pending === 0;
      if (complete || full()) finish();
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
