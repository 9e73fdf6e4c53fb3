import { isUnavailable } from '@skillgate/contracts/refusal';

/** An event as it stands in the outbox. */
export interface OutboxRow {
  /** A bigint as text. */
  readonly seq: string;
  readonly id: string;
  readonly subject: string;
  readonly aggregate: string;
  /** JSON. */
  readonly body: string;
  /** `traceparent` and `tracestate` of the span that enqueued it. */
  readonly trace: Readonly<Record<string, string>> | null;
  /** Milliseconds since the epoch. A number: pg takes longer to read a date than to read the rest of the row. */
  readonly enqueuedAt: number;
}

/** Resolves when the broker has the event for good. */
export type PublishRow = (row: OutboxRow) => Promise<unknown>;

export interface Published {
  readonly sent: OutboxRow[];
  /** The first row of its aggregate that did not go, and why; those behind it were not tried. */
  readonly failed: { readonly row: OutboxRow; readonly error: unknown }[];
  /** The broker is away: what was not tried would have failed too. */
  readonly unavailable: boolean;
}

/**
 * Publishes rows, many at a time, but within an aggregate one after the other: the second goes when the first is
 * acknowledged, so that a lost message never lets a later one overtake it.
 *
 * @param limits.window publishes at once
 * @param limits.until epoch milliseconds after which none begins
 */
export async function publishInOrder(
  rows: readonly OutboxRow[],
  publish: PublishRow,
  { window, until }: { window: number; until: number },
): Promise<Published> {
  const result = { sent: [] as OutboxRow[], failed: [] as { row: OutboxRow; error: unknown }[], unavailable: false };
  const chains = byAggregate(rows);
  let next = 0;

  async function work(): Promise<void> {
    while (next < chains.length) {
      for (const row of chains[next++]!) {
        if (result.unavailable || Date.now() >= until) return;
        try {
          await publish(row);
          result.sent.push(row);
        } catch (error) {
          result.failed.push({ row, error });
          result.unavailable ||= isUnavailable(error);
          break;
        }
      }
    }
  }

  await Promise.all(Array.from({ length: Math.min(window, chains.length) }, work));
  return result;
}

function byAggregate(rows: readonly OutboxRow[]): OutboxRow[][] {
  const chains = new Map<string, OutboxRow[]>();
  for (const row of rows) {
    const chain = chains.get(row.aggregate);
    if (chain) chain.push(row);
    else chains.set(row.aggregate, [row]);
  }
  return [...chains.values()];
}
