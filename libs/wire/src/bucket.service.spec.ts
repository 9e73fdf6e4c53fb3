import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { artifactsEdges } from '@skillgate/contracts/services/artifacts';
import { failure, startHouse, type TestHouse } from '../spec-support/house.js';
import type { Bucket } from './bucket.js';

describe('an object bucket, with the permissions of its owner', () => {
  let house: TestHouse;
  let bucket: Bucket;

  beforeAll(async () => {
    house = await startHouse([artifactsEdges, { service: 'keeper', serves: [], calls: [], emits: [], hears: [], buckets: ['kept'] }]);
    bucket = await (await house.wire('artifacts')).bucket('artifacts');
  });
  afterAll(() => house.stop());

  it('gives back the bytes that were put, over several pieces', async () => {
    const bytes = randomBytes(700_000);
    await bucket.put('a report.docx', bytes);
    expect(Buffer.from((await bucket.get('a report.docx')) ?? []).equals(bytes)).toBe(true);
  });

  it('keeps an empty object, and knows it from none', async () => {
    await bucket.put('empty', new Uint8Array(0));
    expect(await bucket.get('empty')).toHaveLength(0);
    expect(await bucket.get('none')).toBeNull();
  });

  it('replaces and deletes', async () => {
    await bucket.put('note', Buffer.from('one'));
    await bucket.put('note', Buffer.from('two'));
    expect(Buffer.from((await bucket.get('note')) ?? []).toString()).toBe('two');
    expect(await bucket.delete('note')).toBe(true);
    expect(await bucket.get('note')).toBeNull();
    expect(await bucket.delete('note')).toBe(false);
  });

  it('answers a read of what is deleted meanwhile: with the bytes, or with nothing', async () => {
    for (let n = 0; n < 30; n++) {
      await bucket.put(`gone ${n}`, Buffer.from('bytes'));
      const reading = pause((n % 15) / 5).then(() => bucket.get(`gone ${n}`)); // somewhere on the way of the other
      const [read] = await Promise.all([reading, bucket.delete(`gone ${n}`)]);
      expect([null, 'bytes']).toContain(read && Buffer.from(read).toString());
    }
  });

  it('is opened by several instances at once', async () => {
    const wires = await Promise.all([house.wire('keeper'), house.wire('keeper')]);
    const buckets = await Promise.all(wires.map((wire) => wire.bucket('kept')));
    await buckets[0]?.put('x', randomBytes(8_000_000)); // enough for the server to ask for flow control
    expect(await buckets[1]?.get('x')).toHaveLength(8_000_000);
  });

  it('needs no right that its owner lacks', () => {
    expect(house.lines.filter(({ level }) => level === 'error')).toEqual([]);
  });

  it('survives a restart of the server, and says so while it is away', async () => {
    await bucket.put('kept', Buffer.from('on disk'));
    await house.nats.stop();
    expect(await failure(bucket.get('kept'))).toMatchObject({ kind: 'unavailable', slug: 'wire-disconnected' });
    await house.nats.restart();
    const end = Date.now() + 10_000;
    let bytes: Uint8Array | null | undefined;
    while (bytes === undefined && Date.now() < end) {
      bytes = await bucket.get('kept').catch(() => new Promise<undefined>((resolve) => void setTimeout(() => resolve(undefined), 100)));
    }
    expect(Buffer.from(bytes ?? []).toString()).toBe('on disk');
  }, 20_000);
});
