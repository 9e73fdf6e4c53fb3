import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { callLedgerBucket } from '@skillgate/contracts/call-ledger-bucket';
import { executorEdges } from '@skillgate/contracts/services/executor';
import { orchestratorEdges } from '@skillgate/contracts/services/orchestrator';
import { failure, startHouse, type TestHouse } from '../spec-support/house.js';
import type { KeyValues } from './key-values.js';

const text = (bytes: Uint8Array | undefined) => Buffer.from(bytes ?? []).toString();

describe('a bucket of keys and values, with the permissions of an executor', () => {
  let house: TestHouse;
  let both: KeyValues[];

  beforeAll(async () => {
    house = await startHouse([executorEdges('lab'), executorEdges('other'), orchestratorEdges]);
    const makers = await Promise.all([house.wire('orchestrator'), house.wire('orchestrator')]);
    await Promise.all(makers.map((maker) => maker.makeKeyValues(callLedgerBucket('lab')))); // two at once
    const wires = await Promise.all([house.wire('lab'), house.wire('lab')]);
    both = await Promise.all(wires.map((wire) => wire.keyValues(callLedgerBucket('lab'))));
  });
  afterAll(() => house.stop());

  it('lets one of two create a key, and both read what it wrote', async () => {
    for (let round = 0; round < 20; round += 1) {
      const key = `race_${round}`;
      const revisions = await Promise.all(both.map((values, n) => values.create(key, Buffer.from(String(n)))));
      expect(revisions.filter((revision) => revision !== null)).toHaveLength(1);
      const winner = revisions.findIndex((revision) => revision !== null);
      for (const values of both) expect(text((await values.get(key))?.bytes)).toBe(String(winner));
    }
  });

  it('writes over what the writer has seen and over nothing else', async () => {
    const [one, two] = both as [KeyValues, KeyValues];
    const first = (await one.create('seen', Buffer.from('a'))) as number;
    const second = await two.update('seen', Buffer.from('b'), first);
    expect(second).toBeGreaterThan(first);
    expect(await one.update('seen', Buffer.from('c'), first)).toBeNull();
    expect(text((await one.get('seen'))?.bytes)).toBe('b');
    expect(await one.get('unseen')).toBeNull();
  });

  it('takes the largest result that a message may carry', async () => {
    const large = Buffer.alloc(259 * 1024, 'x');
    expect(await both[0]!.create('large', large)).not.toBeNull();
    expect((await both[1]!.get('large'))?.bytes).toHaveLength(large.length);
  });

  it('needs no right that its owner lacks, and is out of reach for others', async () => {
    expect(house.lines.filter(({ level }) => level === 'error')).toEqual([]);
    const stranger = await (await house.wire('other')).keyValues(callLedgerBucket('lab'));
    const acts = [() => stranger.get('seen'), () => stranger.create('mine', Buffer.from('x')), () => stranger.put('seen', Buffer.from('x'))];
    for (const act of acts) {
      expect(await failure(act())).toMatchObject({ kind: 'breach', slug: 'not-permitted' });
    }
  });

  it('that nobody has made yet is unavailable', async () => {
    const early = await (await house.wire('other')).keyValues(callLedgerBucket('other'));
    expect(await failure(early.create('x', Buffer.from('x')))).toMatchObject({ kind: 'unavailable', slug: 'bucket-failed' });
    expect(await failure(early.get('x'))).toMatchObject({ kind: 'unavailable', slug: 'bucket-failed' });
  });

  it('survives a restart of the server, and says so while it is away', async () => {
    const [one] = both as [KeyValues];
    const revision = (await one.create('kept', Buffer.from('on disk'))) as number;
    await house.nats.stop();
    expect(await failure(one.get('kept'))).toMatchObject({ kind: 'unavailable', slug: 'wire-disconnected' });
    await house.nats.restart();
    const end = Date.now() + 10_000;
    let updated: number | null | undefined;
    while (updated === undefined && Date.now() < end) {
      updated = await one.update('kept', Buffer.from('again'), revision).catch(() => new Promise<undefined>((resolve) => void setTimeout(() => resolve(undefined), 100)));
    }
    expect(updated).toBeGreaterThan(revision);
  }, 20_000);
});
