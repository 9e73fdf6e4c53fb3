import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { gatewayEdges } from '@skillgate/contracts/services/gateway';
import { orchestratorEdges } from '@skillgate/contracts/services/orchestrator';
import { turnStream } from '@skillgate/contracts/streams';
import type { TurnMessage } from '@skillgate/contracts/turn-stream';
import { failure, startHouse, type TestHouse, until } from '../spec-support/house.js';
import type { Wire } from './wire.js';

const delta = (attempt: number, n: number): TurnMessage => ({ attempt, n, body: { type: 'delta', text: `${attempt}.${n}` } });
const places = (messages: TurnMessage[]) => messages.map(({ attempt, n }) => `${attempt}.${n}`);

describe("a turn's stream", () => {
  let house: TestHouse;
  let orchestrator: Wire;
  let gateway: Wire;

  beforeAll(async () => {
    house = await startHouse([orchestratorEdges, gatewayEdges]);
    [orchestrator, gateway] = await Promise.all([house.wire('orchestrator'), house.wire('gateway')]);
  });
  afterAll(() => house.stop());

  /** A live message is published without an acknowledgement: the stream has it a moment later. */
  const readUntil = async (count: number, turn: string): Promise<TurnMessage[]> => {
    for (const end = Date.now() + 5_000; ; ) {
      const read = await gateway.readTurn(turn);
      if (read.length >= count || Date.now() > end) return read;
    }
  };

  it('is unavailable before its owner created it, at once', async () => {
    expect(await failure(gateway.readTurn(crypto.randomUUID()))).toMatchObject({ kind: 'unavailable', slug: 'stream-missing' });
  });

  it('gives what a reader missed, in order, each message once, of that turn alone', async () => {
    await orchestrator.reconcileStreams([turnStream]);
    const turn = crypto.randomUUID();
    const live: TurnMessage[] = [];
    await gateway.subscribeTurn(turn, (message) => live.push(message)).ready;
    for (const message of [delta(1, 0), delta(1, 1), delta(1, 1), delta(2, 1), delta(2, 0), delta(2, 2)]) orchestrator.publishTurn(turn, message);
    orchestrator.publishTurn(crypto.randomUUID(), delta(1, 9));
    await until(() => live.length === 6); // what is kept is heard live as well
    expect(places(await readUntil(5, turn))).toEqual(['1.0', '1.1', '2.0', '2.1', '2.2']);
    expect(places(await gateway.readTurn(turn, { attempt: 1, n: 0 }))).toEqual(['1.1', '2.0', '2.1', '2.2']);
    expect(await gateway.readTurn(turn, { attempt: 2, n: 2 })).toEqual([]);
    expect(await gateway.readTurn(crypto.randomUUID())).toEqual([]);
  });

  it('gives thousands, also while it grows', async () => {
    const turn = crypto.randomUUID();
    for (let n = 0; n < 5_000; n += 1) orchestrator.publishTurn(turn, delta(1, n));
    await readUntil(5_000, turn);
    const reading = gateway.readTurn(turn, { attempt: 1, n: 99 });
    for (let n = 5_000; n < 5_500; n += 1) orchestrator.publishTurn(turn, delta(1, n));
    const order = Array.from({ length: 5_500 }, (_value, n) => `1.${n}`);
    const read = places(await reading);
    expect(read.length).toBeGreaterThanOrEqual(4_900);
    expect(read).toEqual(order.slice(100, 100 + read.length));
    expect(places(await readUntil(5_500, turn))).toEqual(order);
  }, 20_000);

  it('is read by many at once', async () => {
    const turns = Array.from({ length: 64 }, () => crypto.randomUUID());
    for (const turn of turns) for (let n = 0; n < 32; n += 1) orchestrator.publishTurn(turn, delta(1, n));
    await readUntil(32, turns.at(-1) ?? '');
    const began = Date.now();
    const read = await Promise.all(turns.map((turn) => gateway.readTurn(turn)));
    process.stdout.write(`read 64 turns of 32 messages in ${Date.now() - began} ms\n`);
    expect(read.map(({ length }) => length)).toEqual(turns.map(() => 32));
  });

  it('is given whole or not at all: what is over 4 MiB nobody holds in memory', async () => {
    const turn = crypto.randomUUID();
    const piece = 'x'.repeat(200_000);
    const say = (n: number) => orchestrator.publishTurn(turn, { attempt: 1, n, body: { type: 'delta', text: piece } });
    for (let n = 0; n < 20; n += 1) say(n);
    expect(await readUntil(20, turn)).toHaveLength(20);
    for (let n = 20; n < 25; n += 1) say(n);
    let refused = await failure(gateway.readTurn(turn)).catch(() => undefined);
    for (const end = Date.now() + 5_000; !refused && Date.now() < end; ) refused = await failure(gateway.readTurn(turn)).catch(() => undefined);
    expect(refused).toMatchObject({ kind: 'unavailable', slug: 'turn-too-large' });
  });

  it('refuses an id that would reach other subjects', async () => {
    expect(await failure(gateway.readTurn('*'))).toMatchObject({ slug: 'invalid-subject' });
  });
});
