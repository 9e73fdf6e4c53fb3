import type { KeyValues } from '@skillgate/wire/key-values';

/** Milliseconds between two signs of life of an instance that runs calls with effects. */
export const beatMs = 1_000;
/** Milliseconds without one after which an instance counts as gone: eight beats, so that a tool that keeps its process busy is not given up. */
export const goneAfterMs = 8_000;

const keyOf = (instance: string): string => `alive_${instance}`;

/** Says that this instance lives while it has something to do, and judges by the same sign whether others do. */
export class Pulse {
  private timer: NodeJS.Timeout | undefined;
  private readonly seen = new Map<string, { revision: number; since: number }>();

  constructor(
    readonly instance: string,
    private readonly open: () => Promise<KeyValues>,
    private readonly goneMs = goneAfterMs,
  ) {}

  start(): void {
    if (this.timer) return;
    this.beat();
    this.timer = setInterval(() => this.beat(), beatMs);
    this.timer.unref();
  }

  stop(): void {
    clearInterval(this.timer);
    this.timer = undefined;
  }

  /** No clocks are compared: an instance is gone when its sign did not change for long enough before these eyes. */
  async isGone(instance: string): Promise<boolean> {
    if (instance === this.instance) return false;
    const revision = (await (await this.open()).get(keyOf(instance)))?.revision ?? 0;
    const before = this.seen.get(instance);
    if (before?.revision === revision) return Date.now() - before.since >= this.goneMs;
    this.seen.set(instance, { revision, since: Date.now() });
    return false;
  }

  /** A beat that cannot be sent is followed by the next. */
  private beat(): void {
    this.open()
      .then((values) => values.put(keyOf(this.instance), new Uint8Array(0)))
      .catch(() => undefined);
  }
}
