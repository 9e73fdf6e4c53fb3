import type { StoredMsg, StreamInfo } from '@nats-io/jetstream';
import { headers as emptyHeaders } from '@nats-io/transport-node';
import { type DeadLetter, deadLetter } from '@skillgate/contracts/dead-letter';
import { eventStream } from '@skillgate/contracts/streams';
import type { Stream } from '@skillgate/contracts/define-stream';
import { decodeBody, encodeBody } from './body.js';
import { headerNames } from './header-names.js';
import { apiCodes, askJetStream, unexpected } from './jetstream-api.js';
import { keep } from './publish-event.js';
import type { WireParts } from './serve-subject.js';

export interface KeptLetter {
  /** In the stream of dead letters. */
  readonly seq: number;
  readonly letter: DeadLetter;
}

/** The dead letters of one service, for whoever may mend its stream. */
export interface DeadLetters {
  /** The oldest first, from `fromSeq` on. A stream that does not exist yet has none. */
  list(limit: number, fromSeq?: number): Promise<KeptLetter[]>;
  get(seq: number): Promise<KeptLetter | null>;
  /** @returns whether it was there */
  remove(seq: number): Promise<boolean>;
  /** Tells the event again, to everybody who hears it, under its own id; whoever worked on it before knows it by that. */
  replay(letter: DeadLetter): Promise<void>;
}

/** Messages in a stream of this service's own; undefined when there is none. @throws Unavailable when JetStream is away */
export async function countMessages({ requests }: Pick<WireParts, 'requests'>, { name }: Stream): Promise<number | undefined> {
  const { ok, error } = await askJetStream<StreamInfo>(requests, `STREAM.INFO.${name}`, null);
  if (error?.err_code === apiCodes.streamNotFound) return undefined;
  if (error) throw unexpected(`Looking at stream "${name}"`, error);
  return ok.state.messages;
}

export function mendStream(parts: WireParts, { name, subjects }: Stream): DeadLetters {
  const { requests } = parts;
  const read = async (ask: object): Promise<KeptLetter | null> => {
    const { ok, error } = await askJetStream<{ message: StoredMessage }>(requests, `STREAM.MSG.GET.${name}`, ask);
    if (error?.err_code === apiCodes.messageNotFound || error?.err_code === apiCodes.streamNotFound) return null;
    if (error) throw unexpected(`Reading stream "${name}"`, error);
    const { seq, data = '' } = ok.message;
    return { seq, letter: decodeBody(Buffer.from(data, 'base64'), deadLetter, `Message ${seq} of stream "${name}"`, 'invalid-message') };
  };
  return {
    async list(limit, fromSeq = 1) {
      const letters: KeptLetter[] = [];
      for (let seq = fromSeq; letters.length < limit; ) {
        const next = await read({ seq, next_by_subj: subjects[0] });
        if (!next) break;
        letters.push(next);
        seq = next.seq + 1;
      }
      return letters;
    },
    get: (seq) => read({ seq }),
    async remove(seq) {
      const { error } = await askJetStream(requests, `STREAM.MSG.DELETE.${name}`, { seq, no_erase: true });
      if (error?.err_code === apiCodes.messageNotDeleted && error.description.includes('no message found')) return false;
      if (error?.err_code === apiCodes.messageNotFound) return false;
      if (error) throw unexpected(`Removing message ${seq} of stream "${name}"`, error);
      return true;
    },
    async replay({ eventId, subject, payload, headers: original }) {
      const headers = emptyHeaders();
      for (const [header, value] of Object.entries(original)) headers.set(header, value);
      headers.set(headerNames.eventId, eventId);
      headers.set(headerNames.messageId, `replay.${crypto.randomUUID()}`); // its own would be swallowed within the duplicate window
      const owner = subject.split('.')[2] ?? '';
      const stream = eventStream(owner).name;
      headers.set(headerNames.expectedStream, stream);
      await keep(parts, stream, subject, encodeBody(payload, `The event "${subject}"`, 'message-too-large'), headers);
    },
  };
}

/** As the API writes it; `data` is base64, and absent for an empty body. */
interface StoredMessage extends Pick<StoredMsg, 'seq'> {
  readonly data?: string;
}

