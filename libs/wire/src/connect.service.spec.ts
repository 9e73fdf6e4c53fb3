import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { askerEdges, failure, greet, startHouse, tellerEdges, type TestHouse, whoAmI } from '../spec-support/house.js';
import { connectWire } from './connect.js';

describe('connecting', () => {
  let house: TestHouse;
  beforeAll(async () => {
    house = await startHouse([tellerEdges, askerEdges]);
  });
  afterAll(() => house.stop());

  it('says where it looked, as whom and for how long, when no server answers', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => taken.once('listening', resolve));
    const { port } = taken.address() as AddressInfo;
    await new Promise((resolve) => taken.close(resolve)); // nobody listens there now
    const began = Date.now();
    const connecting = connectWire({ service: 'asker', servers: `nats://me:secret@127.0.0.1:${port}`, password: 'x', connectTimeoutMs: 600 });
    const error = await connecting.catch((refused: Error) => refused);
    expect((error as Error).message).toMatch(new RegExp(`"asker" at nats://127\\.0\\.0\\.1:${port} within 600 ms`));
    expect(Date.now() - began).toBeLessThan(2_000);
  });

  it('fails at once on a wrong password, without repeating it', async () => {
    const began = Date.now();
    await expect(connectWire({ service: 'asker', servers: house.nats.url, password: 'wrong-one' })).rejects.toThrow(/refuses user "asker".*password/);
    expect(Date.now() - began).toBeLessThan(2_000);
  });

  it('fails at once when the user may not hear the answers of the service', async () => {
    const connecting = connectWire({ service: 'teller', user: 'asker', servers: house.nats.url, password: house.passwords.asker ?? '', log: house.log });
    const error = await failure(connecting);
    expect(error).toMatchObject({ kind: 'breach', slug: 'not-permitted' });
    expect(error.message).toContain('NATS user "asker"');
  });

  it('waits for a server that comes up late', async () => {
    await house.nats.stop();
    const connecting = connectWire({ service: 'asker', servers: [house.nats.url], password: house.passwords.asker ?? '', log: house.log });
    setTimeout(() => void house.nats.restart(), 600);
    const wire = await connecting;
    expect(wire.status()).toMatchObject({ connected: true });
    await wire.close();
  });

  it('gives several services of one process a wire, an inbox and permissions each', async () => {
    const [teller, asker] = await Promise.all([house.wire('teller'), house.wire('asker')]);
    await Promise.all([
      teller.serve(greet, async ({ name }) => ({ greeting: name })).ready,
      teller.serve(whoAmI, async (_input, { caller = 'nobody' }) => ({ caller })).ready,
    ]);
    const answers = await Promise.all([asker.call(whoAmI, {}), asker.call(greet, { name: 'Ada' })]);
    expect(answers).toEqual([{ caller: 'asker' }, { greeting: 'Ada' }]);
    expect(await failure(teller.call(greet, { name: 'me' }))).toMatchObject({ slug: 'not-permitted' });
    expect(teller.status().serverId).toBe(asker.status().serverId);
    await teller.drain(1_000);
    expect(await failure(asker.call(greet, { name: 'Ada' }))).toMatchObject({ slug: 'no-responder' });
  });
});
