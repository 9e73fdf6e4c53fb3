/** An aggregate whose next event the broker does not take, though it is there: a refusal, a broken contract, a defect. */
export interface HeldAggregate {
  readonly aggregate: string;
  readonly event: string;
  readonly subject: string;
  readonly reason: string;
  /** Epoch milliseconds of the next try. */
  readonly until: number;
}

const [firstMs, lastMs] = [1_000, 60_000];

/** Keeps one bad row from holding up the events of everybody else: its aggregate waits alone, longer each time. */
export class HeldAggregates {
  readonly #held = new Map<string, HeldAggregate & { readonly waitMs: number }>();

  /** @returns milliseconds until the next try */
  hold({ aggregate, id: event, subject }: { aggregate: string; id: string; subject: string }, error: unknown): number {
    const before = this.#held.get(aggregate);
    const waitMs = before?.event === event ? Math.min(before.waitMs * 2, lastMs) : firstMs;
    const reason = error instanceof Error ? error.message : String(error);
    this.#held.set(aggregate, { aggregate, event, subject, reason, until: Date.now() + waitMs, waitMs });
    return waitMs;
  }

  /** Their events go again. */
  release(rows: readonly { aggregate: string }[]): void {
    if (this.#held.size > 0) for (const { aggregate } of rows) this.#held.delete(aggregate);
  }

  /** Those to leave out now; one whose time has come is tried. */
  now(): string[] {
    const now = Date.now();
    return [...this.#held.values()].filter(({ until }) => until > now).map(({ aggregate }) => aggregate);
  }

  all(): HeldAggregate[] {
    return [...this.#held.values()].map(({ waitMs: _, ...held }) => held);
  }
}
