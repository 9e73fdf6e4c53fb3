import type { ArtifactRef } from '@skillgate/contracts/tool-call';
import type { TurnMessage, TurnOutcome } from '@skillgate/contracts/turn-stream';

type Progress = Extract<TurnMessage['body'], { type: 'progress' }>['progress'];

/** What a reader of a turn gets, in order. `id` is `<attempt>.<n>`, also the SSE id. */
export type TurnEvent =
  | { type: 'text'; text: string; id: string }
  | { type: 'progress'; progress: Progress; id: string }
  | { type: 'artifact'; artifact: ArtifactRef; id: string }
  | { type: 'ended'; outcome: TurnOutcome };

export interface TurnReading {
  events: TurnEvent[];
  /** Something was missed: only the journal knows what. */
  gap: boolean;
}

/** Shown where an answer that was already on the screen starts anew, because another instance took the turn over. */
export const restartMark = '\n\n[The work was interrupted and starts again here.]\n\n';
/** Shown before the whole answer where pieces of the stream were lost and cannot be fitted in. */
export const repairMark = '\n\n[Parts of the stream were lost. The whole answer follows.]\n\n';

const nothing: TurnReading = { events: [], gap: false };

/**
 * Puts the messages of one turn in order. The stream is a courtesy and the journal is the truth: messages of lower
 * attempts and duplicates are dropped; after a gap no text passes until the outcome is known, then what is missing
 * follows.
 */
export class TurnReader {
  private attempt = 0;
  private next = 0;
  private text = '';
  private lost = false;

  read({ attempt, n, body }: TurnMessage): TurnReading {
    if (attempt < this.attempt || (attempt === this.attempt && n < this.next)) return nothing;
    const events = attempt > this.attempt ? this.startAttempt(attempt) : [];
    const gap = n > this.next;
    if (gap) this.lost = true;
    this.next = n + 1;
    const id = `${attempt}.${n}`;
    switch (body.type) {
      case 'delta':
        if (!this.lost && body.text) {
          this.text += body.text;
          events.push({ type: 'text', text: body.text, id });
        }
        return { events, gap };
      case 'progress':
        return { events: [...events, { type: 'progress', progress: body.progress, id }], gap };
      case 'artifact':
        return { events: [...events, { type: 'artifact', artifact: body.artifact, id }], gap };
      case 'ended':
        return { events: [...events, ...this.finish(body.outcome)], gap: false };
    }
  }

  /** Ends the reading with the journal's word: the part of the answer that was not sent yet, then the outcome. */
  finish(outcome: TurnOutcome): TurnEvent[] {
    const text = outcome.status === 'finished' ? missingPart(this.text, outcome.answer) : '';
    const id = `${Math.max(1, this.attempt)}.${this.next}`;
    return [...(text ? [{ type: 'text' as const, text, id }] : []), { type: 'ended', outcome }];
  }

  private startAttempt(attempt: number): TurnEvent[] {
    const restarted = this.text !== '';
    this.attempt = attempt;
    this.next = 0;
    this.text = '';
    this.lost = false;
    return restarted ? [{ type: 'text', text: restartMark, id: `${attempt}.0` }] : [];
  }
}

/** What must follow `sent` so that the reader has the whole `answer`. Text of earlier steps may stand before it. */
export function missingPart(sent: string, answer: string): string {
  if (answer.startsWith(sent)) return answer.slice(sent.length);
  if (sent.endsWith(answer)) return '';
  return repairMark + answer;
}
