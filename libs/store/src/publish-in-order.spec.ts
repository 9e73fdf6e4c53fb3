import { describe, expect, it } from '@jest/globals';
import { breach, unavailable } from '@skillgate/contracts/refusal';
import { publishInOrder, type OutboxRow } from './publish-in-order.js';

const row = (seq: number, aggregate: string): OutboxRow => ({
  seq: String(seq),
  id: `id-${seq}`,
  subject: 'event.v1.counters.counted',
  aggregate,
  body: '{}',
  trace: null,
  enqueuedAt: 0,
});
const soon = () => ({ window: 8, until: Date.now() + 5_000 });
const seqs = (rows: readonly OutboxRow[]) => rows.map(({ seq }) => Number(seq)).sort((a, b) => a - b);

describe('publishing a batch', () => {
  it('goes on with an aggregate only after its event is acknowledged, and with the others meanwhile', async () => {
    const begun: number[] = [];
    const ends = new Map<number, () => void>();
    const publish = ({ seq }: OutboxRow) => {
      begun.push(Number(seq));
      return new Promise<void>((resolve) => ends.set(Number(seq), resolve));
    };
    const done = publishInOrder([row(1, 'a'), row(2, 'a'), row(3, 'b'), row(4, 'a')], publish, soon());
    const turn = () => new Promise((resolve) => setImmediate(resolve));
    await turn();
    expect(begun).toEqual([1, 3]);
    ends.get(3)!();
    await turn();
    expect(begun).toEqual([1, 3]);
    ends.get(1)!();
    await turn();
    expect(begun).toEqual([1, 3, 2]);
    ends.get(2)!();
    await turn();
    ends.get(4)!();
    expect(seqs((await done).sent)).toEqual([1, 2, 3, 4]);
  });

  it('keeps back what stands behind an event that is not taken, in its aggregate alone', async () => {
    const refused = breach('message-too-large', 'too large');
    const publish = async ({ seq }: OutboxRow) => {
      if (seq === '2') throw refused;
    };
    const { sent, failed, unavailable: away } = await publishInOrder([row(1, 'a'), row(2, 'a'), row(3, 'a'), row(4, 'b')], publish, soon());
    expect(seqs(sent)).toEqual([1, 4]);
    expect(failed).toEqual([{ row: row(2, 'a'), error: refused }]);
    expect(away).toBe(false);
  });

  it('stops everywhere once the broker is away', async () => {
    const tried: string[] = [];
    const publish = async ({ seq }: OutboxRow) => {
      tried.push(seq);
      if (seq === '2') throw unavailable('wire-disconnected', 'away');
    };
    const rows = [row(1, 'a'), row(2, 'b'), row(3, 'c'), row(4, 'd'), row(5, 'a')];
    const { sent, unavailable: away } = await publishInOrder(rows, publish, { window: 1, until: Date.now() + 5_000 });
    expect({ tried, away, sent: seqs(sent) }).toEqual({ tried: ['1', '5', '2'], away: true, sent: [1, 5] });
  });

  it('begins nothing after its time', async () => {
    const { sent, failed } = await publishInOrder([row(1, 'a')], async () => undefined, { window: 1, until: Date.now() - 1 });
    expect({ sent, failed }).toEqual({ sent: [], failed: [] });
  });

  it('has no more under way than its window', async () => {
    let now = 0;
    let most = 0;
    const publish = async () => {
      most = Math.max(most, ++now);
      await new Promise((resolve) => setTimeout(resolve, 1));
      now -= 1;
    };
    const rows = Array.from({ length: 40 }, (_, n) => row(n, `aggregate-${n}`));
    const { sent } = await publishInOrder(rows, publish, { window: 5, until: Date.now() + 5_000 });
    expect([sent.length, most]).toEqual([40, 5]);
  });
});
