import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { platformEdges } from '@skillgate/contracts/services/all';
import { withNats, type TestNats } from './with-nats.js';

describe('withNats', () => {
  let nats: TestNats;
  beforeAll(async () => {
    nats = await withNats(platformEdges);
  }, 30_000);
  afterAll(() => nats?.close());

  it('connects each service as itself', async () => {
    const wires = await Promise.all(['accounts', 'gateway'].map((service) => nats.connect(service)));
    expect(wires.map((wire) => wire.status().connected)).toEqual([true, true]);
  });

  it('says which services it knows when asked for another', async () => {
    await expect(nats.connect('scheduler')).rejects.toThrow(/was not given the edges of "scheduler"; it knows accounts, catalog/);
  });
});
