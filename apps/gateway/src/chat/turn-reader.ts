import type { Waiting } from '@skillgate/contracts/approval';
import type { ArtifactRef } from '@skillgate/contracts/tool-call';
import type { TurnMessage, TurnOutcome } from '@skillgate/contracts/turn-stream';
import type { TurnPlace } from '@skillgate/wire/read-turn';
import { nothingYet, eventIdOf, theEnd } from './event-id.js';
import { placeReader } from './place-reader.js';

type Progress = Extract<TurnMessage['body'], { type: 'progress' }>['progress'];

/**
 * What a reader of a turn gets, in order. `id` is the SSE id: who has the event has everything up to there. So what
 * comes after a hole carries the id of what stood before it.
 */
export type TurnEvent =
  | { type: 'begun'; id: string }
  | { type: 'text'; text: string; id: string }
  | { type: 'progress'; progress: Progress; id: string }
  | { type: 'artifact'; artifact: ArtifactRef; id: string }
  /** Nothing follows until its user has decided; what comes then is of a higher attempt. */
  | { type: 'waiting'; waiting: Waiting; id: string }
  | { type: 'ended'; outcome: TurnOutcome; id: string };

/** Shown where an answer that was already on the screen starts anew, because another instance took the turn over. */
export const restartMark = '\n\n[The work was interrupted and starts again here.]\n\n';

/** Shown before the whole answer where pieces of the stream were lost and cannot be fitted in. */
export const repairMark = '\n\n[Parts of the stream were lost. The whole answer follows.]\n\n';

/**
 * Puts the messages of one turn in order. The stream is a courtesy and the journal is the truth: messages of lower
 * attempts and duplicates are dropped; behind a hole no text passes until the hole is filled or the outcome is known,
 * then what is missing follows.
 */
export class TurnReader {
  private attempt = 0;
  /** Number of the first message of this attempt that has not been shown. */
  private next = 0;
  /** Number behind the last one heard; above `next` while there is a hole. */
  private heard = 0;
  private shown: TurnPlace = nothingYet;
  /** What was shown of this attempt, if `known`. */
  private text = '';
  /** False for a client that resumed where nobody can say any more what it has. */
  private known = true;
  /** The next text comes under the restart mark, with one id, so that no client can get one without the other. */
  private restarting = false;
  /** This attempt ended because the turn waited for its user: the next one says the same again, and goes on. */
  private paused = false;
  /** What the client has and this attempt has yet to say again. */
  private repeat = '';

  /** Everything up to here was shown. */
  get place(): TurnPlace {
    return { attempt: this.attempt, n: this.next - 1 };
  }

  /** Something was missed, and text is held back. */
  get holed(): boolean {
    return this.heard > this.next;
  }

  /** Would reading this message leave a hole that is not there yet? */
  misses({ attempt, n, body }: TurnMessage): boolean {
    if (body.type === 'ended') return false; // it brings everything
    return attempt > this.attempt ? n > 0 : attempt === this.attempt && n > this.next && !this.holed;
  }

  read({ attempt, n, body }: TurnMessage): TurnEvent[] {
    if (attempt < this.attempt) return [];
    // The end is news whatever the client has: it closes the stream.
    if (attempt === this.attempt && n < this.next && body.type !== 'ended') return [];
    if (attempt > this.attempt) this.startAttempt(attempt);
    const inPlace = n === this.next;
    if (body.type === 'ended') return this.finish(body.outcome, inPlace);
    const repeated = n < this.heard; // heard behind a hole: all but its text was shown then
    this.heard = Math.max(this.heard, n + 1);
    if (inPlace) {
      this.next = n + 1;
      this.shown = { attempt, n };
    }
    const id = eventIdOf(this.shown);
    if (body.type === 'delta') return inPlace && body.text ? this.hear(body.text, id) : [];
    if (repeated) return [];
    if (body.type === 'progress' && body.progress.waiting) return this.wait(body.progress.waiting, inPlace);
    return body.type === 'progress'
      ? [{ type: 'progress', progress: body.progress, id }]
      : [{ type: 'artifact', artifact: body.artifact, id }];
  }

  /** Reads what the stream still has, in its order. Of a lower attempt nothing is shown once a higher one began. */
  fill(stored: readonly TurnMessage[]): TurnEvent[] {
    const highest = stored.at(-1)?.attempt;
    const events: TurnEvent[] = [];
    for (const message of stored) {
      const waits = message.body.type === 'progress' && message.body.progress.waiting !== undefined;
      if (waits && message.attempt === this.attempt) this.paused = true;
      if (message.attempt !== highest) continue;
      // Whether it waits still, the journal says.
      events.push(...this.read(message).filter(({ type }) => type !== 'waiting'));
      if (message.body.type === 'ended') break;
    }
    return joinTexts(events);
  }

  /**
   * Begins for a client that got as far as `from`, or anew when that cannot be continued; it is told by `begun`.
   *
   * @param stored everything that the stream has of the turn; null when it cannot be read
   * @param over the journal has the turn's outcome
   */
  resume(from: TurnPlace | null, stored: readonly TurnMessage[] | null, over: boolean): TurnEvent[] {
    const place = from && placeReader(from, stored ?? [], over);
    if (place && from.attempt > 0) {
      this.attempt = from.attempt;
      this.next = this.heard = from.n + 1;
      this.shown = from;
      this.text = place.text;
      this.known = place.known;
      this.restarting = place.restarting;
    }
    return [...(place ? [] : [{ type: 'begun' as const, id: eventIdOf(nothingYet) }]), ...this.fill(stored ?? [])];
  }

  /**
   * Ends the reading with the journal's word: the part of the answer that was not sent yet, then the outcome.
   *
   * @param inPlace the stream said everything before it
   */
  finish(outcome: TurnOutcome, inPlace = false): TurnEvent[] {
    const id = eventIdOf(theEnd(this.attempt));
    const text = this.missing(outcome, inPlace);
    return [...(text ? [this.say(text, id)] : []), { type: 'ended', outcome, id }];
  }

  /** What was said until the turn began to wait, as far as it was not sent yet, and what it waits for. */
  wait(waiting: Waiting, inPlace = false): TurnEvent[] {
    this.paused = true;
    const id = eventIdOf(this.shown);
    const text = inPlace || !this.known ? '' : missingPart(this.text + this.repeat, waiting.answer);
    this.repeat = '';
    return [...(text ? [this.say(text, id)] : []), { type: 'waiting', waiting, id }];
  }

  private missing({ status, answer }: TurnOutcome, inPlace: boolean): string {
    if (this.next === Infinity || (inPlace && !this.known)) return '';
    // Of an answer that broke off, what was streamed and no more: a mark and the same again would help nobody.
    const sent = this.text + this.repeat;
    if (status !== 'finished') return this.known && answer.startsWith(sent) ? answer.slice(sent.length) : '';
    if (this.known) return missingPart(sent, answer);
    return this.text && answer.endsWith(this.text) ? '' : repairMark + answer;
  }

  private say(text: string, id: string): TurnEvent {
    const mark = this.restarting ? restartMark : '';
    this.restarting = false;
    this.text += text;
    return { type: 'text', text: mark + text, id };
  }

  /** Behind a wait the same is said again: the client has it. When it is not the same, all of it stands under the restart mark. */
  private hear(text: string, id: string): TurnEvent[] {
    const { repeat } = this;
    if (repeat === '') return [this.say(text, id)];
    this.repeat = repeat.startsWith(text) ? repeat.slice(text.length) : '';
    if (repeat.startsWith(text)) {
      this.text += text;
      return [];
    }
    if (text.startsWith(repeat)) {
      this.text += repeat;
      return [this.say(text.slice(repeat.length), id)];
    }
    this.restarting = true;
    const again = this.text + text;
    this.text = '';
    return [this.say(again, id)];
  }

  private startAttempt(attempt: number): void {
    const goesOn = this.paused && this.known;
    this.repeat = goesOn ? this.text + this.repeat : '';
    this.restarting ||= !goesOn && (this.text !== '' || !this.known);
    this.paused = false;
    this.attempt = attempt;
    this.next = this.heard = 0;
    this.text = '';
    this.known = true;
  }
}

/** What must follow `sent` so that the reader has the whole `answer`. Text of earlier steps may stand before it. */
export function missingPart(sent: string, answer: string): string {
  if (answer.startsWith(sent)) return answer.slice(sent.length);
  if (sent.endsWith(answer)) return '';
  return repairMark + answer;
}

const longestText = 16_384; // characters: as large as one write to a socket usually takes

/** Texts behind each other as few: a client that is behind catches up with less around each word. */
function joinTexts(events: readonly TurnEvent[]): TurnEvent[] {
  const joined: TurnEvent[] = [];
  for (const event of events) {
    const before = joined.at(-1);
    if (event.type === 'text' && before?.type === 'text' && before.text.length + event.text.length <= longestText) {
      joined[joined.length - 1] = { ...event, text: before.text + event.text };
    } else joined.push(event);
  }
  return joined;
}
