import { refuse } from '@skillgate/contracts/refusal';
import type { ArtifactRef } from '@skillgate/contracts/tool-call';
import type { TurnMessage, TurnOutcome } from '@skillgate/contracts/turn-stream';

type Body = TurnMessage['body'];
export type Progress = Extract<Body, { type: 'progress' }>['progress'];

/** Milliseconds that text waits for more text: fewer messages, no visible delay. */
const coalesceMs = 25;

/** Bytes of a turn's text as JSON. The outcome carries all of it in one message of at most 256 KiB, beside files and usage. */
export const maxTextBytes = 192 * 1024;

/**
 * What the user sees of a running turn. Text is gathered for a moment before it leaves; everything is published
 * without waiting, since the journal's outcome is the truth and the gateway asks it when the stream has a gap.
 */
export class TurnPublisher {
  private n = 0;
  private pending = '';
  private timer: NodeJS.Timeout | undefined;
  private bytes = 0;
  private separate = false;
  /** All text published so far: the answer is exactly this. */
  text = '';

  /** @param onLost hears why a message could not be sent; its number is missing in the stream, which the gateway notices */
  constructor(
    private readonly publish: (message: TurnMessage) => void,
    private readonly attempt: number,
    private readonly onLost: (error: unknown) => void,
  ) {}

  /** @throws refusal `turn-limit-text` in place of text that no outcome could carry */
  delta(text: string): void {
    if (!text) return;
    const shown = this.separate ? `\n\n${text}` : text;
    this.bytes += Buffer.byteLength(JSON.stringify(shown)) - 2; // less its quotes
    if (this.bytes > maxTextBytes) throw refuse('turn-limit-text', 'This answer reached its limit of length. Ask for the rest, or for a file.');
    this.separate = false;
    this.text += shown;
    this.pending += shown;
    this.timer ??= setTimeout(() => this.flush(), coalesceMs);
  }

  /** Keeps the text of two rounds apart, so that sentences do not run into each other; only if there is more text to come. */
  paragraph(): void {
    this.separate = this.text !== '' && !this.text.endsWith('\n\n');
  }

  progress(progress: Progress): void {
    this.send({ type: 'progress', progress });
  }

  artifact(artifact: ArtifactRef): void {
    this.send({ type: 'artifact', artifact });
  }

  ended(outcome: TurnOutcome): void {
    this.send({ type: 'ended', outcome });
  }

  flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (!this.pending) return;
    const text = this.pending;
    this.pending = '';
    this.tell({ type: 'delta', text });
  }

  private send(body: Body): void {
    this.flush();
    this.tell(body);
  }

  private tell(body: Body): void {
    try {
      this.publish({ attempt: this.attempt, n: this.n++, body });
    } catch (error) {
      this.onLost(error);
    }
  }
}
