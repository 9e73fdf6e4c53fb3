import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { gatewayEdges } from '@skillgate/contracts/services/gateway';
import { orchestratorEdges } from '@skillgate/contracts/services/orchestrator';
import { askerEdges, failure, greet, startHouse, tellerEdges, type TestHouse, until } from '../spec-support/house.js';
import type { Wire } from './wire.js';

describe('a wire whose server goes away', () => {
  let house: TestHouse;
  let teller: Wire;
  let asker: Wire;
  let handled: string[];

  beforeEach(async () => {
    house = await startHouse([tellerEdges, askerEdges, orchestratorEdges, gatewayEdges]);
    [teller, asker] = await Promise.all([house.wire('teller'), house.wire('asker')]);
    handled = [];
    await teller.serve(greet, async ({ name }) => {
      handled.push(name);
      if (name === 'slow') await new Promise((resolve) => setTimeout(resolve, 2_000));
      return { greeting: `hello ${name}` };
    }).ready;
  });
  afterEach(() => house.stop());

  const bothBack = () => until(() => asker.status().connected && teller.status().connected, 15_000);

  it('says since when it is down and why, fails calls at once, and works again after the restart', async () => {
    const before = asker.status();
    expect(before).toMatchObject({ connected: true, serverId: expect.any(String) });
    await house.nats.kill();
    await until(() => !asker.status().connected);
    const down = asker.status();
    expect(down.since).toBeGreaterThanOrEqual(before.since);
    expect(down.lastError).toContain('lost');

    const began = Date.now();
    const error = await failure(asker.call(greet, { name: 'too early' }));
    expect(error).toMatchObject({ kind: 'unavailable', slug: 'wire-disconnected', details: { sent: false } });
    expect(Date.now() - began).toBeLessThan(200);

    await house.nats.restart();
    await bothBack();
    expect(await asker.call(greet, { name: 'Ada' })).toEqual({ greeting: 'hello Ada' });
    expect(asker.status().serverId).not.toBe(before.serverId);
    expect(handled).toEqual(['Ada']); // what was refused while down was not kept and sent late
  }, 30_000);

  it('fails a call that is under way at once, saying that it may have run', async () => {
    const call = failure(asker.call(greet, { name: 'slow' }, { deadlineMs: 20_000 }));
    await until(() => handled.length === 1);
    const began = Date.now();
    await house.nats.kill();
    expect(await call).toMatchObject({ kind: 'unavailable', slug: 'wire-disconnected', details: { sent: true } });
    expect(Date.now() - began).toBeLessThan(1_500);
  }, 30_000);

  it('drops an answer whose request came over the lost connection, with a word in the log', async () => {
    const call = failure(asker.call(greet, { name: 'slow' }));
    await until(() => handled.length === 1);
    await house.nats.restart();
    await call;
    await until(() => house.lines.some(({ message }) => message.startsWith('an answer was dropped')), 10_000);
    expect(house.lines.filter(({ level }) => level === 'error')).toEqual([]);
  }, 30_000);

  it('drops live messages while it is down, and says so to its caller', async () => {
    const [orchestrator, gateway] = await Promise.all([house.wire('orchestrator'), house.wire('gateway')]);
    const turn = crypto.randomUUID();
    const texts: string[] = [];
    await gateway.subscribeTurn(turn, ({ body }) => body.type === 'delta' && texts.push(body.text)).ready;
    const say = (text: string) => orchestrator.publishTurn(turn, { attempt: 1, n: 0, body: { type: 'delta', text } });
    expect(say('before')).toBe(true);
    await until(() => texts.length === 1);
    await house.nats.kill();
    await until(() => !orchestrator.status().connected);
    expect(say('meanwhile')).toBe(false);
    await house.nats.restart();
    await until(() => orchestrator.status().connected && gateway.status().connected, 15_000);
    expect(say('after')).toBe(true);
    await until(() => texts.includes('after'));
    expect(texts).toEqual(['before', 'after']);
  }, 30_000);

  it('goes on trying, past refused logins and more than ten attempts', async () => {
    const right = { ...house.passwords };
    for (const service of Object.keys(right)) house.passwords[service] = 'changed';
    await house.nats.restart();
    await new Promise((resolve) => setTimeout(resolve, 5_000));
    expect(asker.status().connected).toBe(false);
    expect(asker.status().lastError).toMatch(/authorization/i);
    Object.assign(house.passwords, right);
    await house.nats.restart();
    await bothBack();
    expect(await asker.call(greet, { name: 'Ada' })).toEqual({ greeting: 'hello Ada' });
  }, 40_000);

  it('can be drained and closed while it is down', async () => {
    await house.nats.kill();
    await until(() => !teller.status().connected);
    const began = Date.now();
    await teller.drain(5_000);
    expect(Date.now() - began).toBeLessThan(3_000);
    expect(await failure(asker.call(greet, { name: 'x' }))).toMatchObject({ slug: 'wire-disconnected' });
    await asker.close();
    expect(await failure(asker.call(greet, { name: 'x' }))).toMatchObject({ kind: 'unavailable', slug: 'wire-closed' });
  }, 30_000);
});
