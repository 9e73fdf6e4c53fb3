import { headers as emptyHeaders, type MsgHdrs } from '@nats-io/transport-node';
import { isUnavailable } from '@skillgate/contracts/refusal';
import type { WireParts } from './serve-subject.js';

/** A message as it is said, whatever it says: nothing is checked and no header is added. */
export interface RawMessage {
  readonly subject: string;
  readonly body: Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * The answer's bytes as they came; undefined when none came within `waitMs` milliseconds. For trying how others treat what no service
 * of the house would send.
 *
 * @throws `no-responder`, `not-permitted`, `wire-disconnected`
 */
export async function askRaw({ requests }: WireParts, { subject, body, headers }: RawMessage, waitMs: number): Promise<Uint8Array | undefined> {
  try {
    return await requests.ask(subject, body, written(headers), waitMs);
  } catch (error) {
    if (isUnavailable(error, 'deadline-passed')) return undefined;
    throw error;
  }
}

/** Says it and waits for nothing. */
export const sayRaw = ({ connection }: WireParts, { subject, body, headers }: RawMessage): void => connection.publish(subject, body, written(headers));

function written(all: RawMessage['headers'] = {}): MsgHdrs {
  const headers = emptyHeaders();
  for (const [name, value] of Object.entries(all)) headers.set(name, value);
  return headers;
}
