import { isUnavailable } from '@skillgate/contracts/refusal';
import { readersSubject } from '@skillgate/contracts/tool-call';
import type { Hearing } from './connection.js';
import type { WireParts } from './serve-subject.js';

const nothing = new Uint8Array(0);
const askMs = 1_000; // that nobody is there the broker says at once; an instance that is there needs a round trip

/** Answers whoever asks whether this turn is read. @param onAsked is called before each answer */
export function attendTurn({ connection }: WireParts, turnId: string, onAsked: () => void): Hearing {
  return connection.hear(readersSubject(turnId), ({ reply }) => {
    if (!reply) return;
    onAsked();
    connection.publish(reply, nothing);
  });
}

/** @throws Unavailable when it cannot be told: somebody seems to be there, and does not answer */
export async function isTurnAttended({ requests }: WireParts, turnId: string): Promise<boolean> {
  for (let again = true; ; again = false) {
    try {
      await requests.ask(readersSubject(turnId), nothing, undefined, askMs);
      return true;
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      if (error.slug === 'no-responder') return false;
      // A reader who left as it was asked hears no more of it: the second time the broker knows.
      if (error.slug !== 'deadline-passed' || !again) throw error;
    }
  }
}
