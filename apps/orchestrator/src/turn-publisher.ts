import type { ArtifactRef } from '@skillgate/contracts/tool-call';
import type { TurnMessage, TurnOutcome } from '@skillgate/contracts/turn-stream';

type Body = TurnMessage['body'];
export type Progress = Extract<Body, { type: 'progress' }>['progress'];

/** Milliseconds that text waits for more text: fewer messages, no visible delay. */
const coalesceMs = 25;

/**
 * What the user sees of a running turn. Text is gathered for a moment before it leaves; everything is published
 * without waiting, since the journal's outcome is the truth and the gateway asks it when the stream has a gap.
 */
export class TurnPublisher {
  private n = 0;
  private pending = '';
  private timer: NodeJS.Timeout | undefined;
  /** All text published so far: the answer is exactly this. */
  text = '';

  constructor(
    private readonly publish: (message: TurnMessage) => void,
    private readonly attempt: number,
  ) {}

  delta(text: string): void {
    if (!text) return;
    this.text += text;
    this.pending += text;
    this.timer ??= setTimeout(() => this.flush(), coalesceMs);
  }

  /** Keeps the text of two rounds apart, so that sentences do not run into each other. */
  paragraph(): void {
    if (this.text && !this.text.endsWith('\n\n')) this.delta('\n\n');
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
    this.publish({ attempt: this.attempt, n: this.n++, body: { type: 'delta', text } });
  }

  private send(body: Body): void {
    this.flush();
    this.publish({ attempt: this.attempt, n: this.n++, body });
  }
}
