import { isHouseError, unavailable } from '@skillgate/contracts/refusal';
import { turnStream } from '@skillgate/contracts/streams';
import { turnSubject } from '@skillgate/contracts/tool-call';
import { isExactDelta, turnMessage, type TurnMessage } from '@skillgate/contracts/turn-stream';
import { decodeBody } from './body.js';
import { readStream } from './read-stream.js';
import type { WireParts } from './serve-subject.js';

/** A message's place in its turn. */
export type TurnPlace = Pick<TurnMessage, 'attempt' | 'n'>;

// Held in memory for every reader who missed something. An answer has 256 KiB at most, in pieces with little around each.
const maxBytes = 4 * 1024 * 1024;

/**
 * What the stream still has of a turn behind `after`, in order, each message once.
 *
 * @throws Unavailable when the stream is missing, does not deliver, or has more than 4 MiB: the journal has the truth then
 */
export async function readTurn(parts: WireParts, turnId: string, after?: TurnPlace): Promise<TurnMessage[]> {
  const subject = turnSubject(turnId);
  const { read, complete } = await readStream(parts, { stream: turnStream.name, filter: subject, maxBytes });
  if (!complete) throw unavailable('turn-too-large', `What stream "${turnStream.name}" has of "${subject}" is over ${maxBytes} bytes. Ask the journal`);
  const found = new Map<string, TurnMessage>();
  for (const { message } of read) {
    try {
      const said = decodeBody(message.data, turnMessage, `A message on "${subject}"`, 'invalid-message', isExactDelta);
      if (!after || isBehind(said, after)) found.set(`${said.attempt}.${said.n}`, said);
    } catch (error) {
      if (!isHouseError(error)) throw error;
      parts.connection.log.error({ subject }, `dropped: ${error.message}`);
    }
  }
  return [...found.values()].sort((a, b) => (isBehind(a, b) ? 1 : -1));
}

const isBehind = (a: TurnPlace, b: TurnPlace): boolean => a.attempt > b.attempt || (a.attempt === b.attempt && a.n > b.n);
