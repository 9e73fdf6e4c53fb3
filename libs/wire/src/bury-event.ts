import { headers as emptyHeaders } from '@nats-io/transport-node';
import { type DeadLetter, deadLetter, deadLetterSubject } from '@skillgate/contracts/dead-letter';
import type { Event } from '@skillgate/contracts/define-event';
import { deadLetterStream } from '@skillgate/contracts/streams';
import { checkBody } from './body.js';
import { headerNames } from './header-names.js';
import { keep } from './publish-event.js';
import type { WireParts } from './serve-subject.js';

/**
 * Keeps an event as a dead letter of this service. The letter is larger than its event, which has 256 KiB at most; the
 * server takes 512 KiB.
 *
 * @param messageId the same for every try to bury the same delivery: the stream keeps one of them
 * @throws when the letter is not kept: the event must not be given up then
 */
export async function buryEvent(parts: WireParts, event: Event, letter: DeadLetter, messageId: string): Promise<void> {
  const { service } = parts.connection;
  const headers = emptyHeaders();
  const stream = deadLetterStream(service).name;
  headers.set(headerNames.messageId, messageId);
  headers.set(headerNames.expectedStream, stream);
  const body = Buffer.from(JSON.stringify(checkBody(letter, deadLetter, `The dead letter of "${event.subject}"`, 'invalid-message')));
  await keep(parts, stream, deadLetterSubject(service, event), body, headers);
}

const longestText = 64 * 1024; // of a body that is no JSON: escaped it may be six times as long

/** As JSON, where it is JSON. */
export function readableBody(data: Uint8Array): unknown {
  const text = Buffer.from(data).toString('utf8');
  try {
    return JSON.parse(text);
  } catch {
    return text.slice(0, longestText);
  }
}
