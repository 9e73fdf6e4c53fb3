import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { HistoryItem } from '@skillgate/prompt/history';
import { poolMetrics } from '@skillgate/store/pool-metrics';
import { digestOf, turnOf } from './spec-support/facts.js';
import { nextOf, said, startStore, type StoreWorld } from './spec-support/store-world.js';

let world: StoreWorld;
beforeAll(async () => {
  world = await startStore();
}, 60_000);
afterAll(() => world?.close());

describe('a chat', () => {
  it('begins with its first turn, and its next turn finds it as it was left', async () => {
    const first = turnOf();
    expect(await world.begin(first)).toEqual({ prefix: null, prefixHash: null, prefixTools: null, announced: [], pinned: [], epoch: 0, compacted: null, history: first.items });
    const pinned = [{ slug: 'memo', version: '1.0.0', digest: digestOf('a') }];
    const prefix = { prefix: 'p', prefixHash: 'h', prefixTools: true, announced: ['memo'], epoch: 2 };
    await world.append(first, { items: 1, steps: 0 }, { items: [said('Working.')], chat: { ...prefix, pinned } });
    await world.end(first, { items: 2, steps: 0 });
    const second = nextOf(first);
    expect(await world.begin(second)).toEqual({ ...prefix, pinned, compacted: null, persona: null, history: [...first.items, said('Working.'), said('Done.'), ...second.items] });
    expect(await world.numbers(first)).toEqual([0, 1, 2, 3]);
  });

  it('that was compacted keeps all that was said, and whoever goes on with it finds what stands for its beginning', async () => {
    const system: HistoryItem = { kind: 'notice', text: 'Be brief.' };
    const first = await world.begun({ items: [system, { kind: 'user', content: 'Go.' }] });
    const compacted = { from: 2, items: [{ kind: 'summary', text: 'They said go.' }] as HistoryItem[] };
    await world.append(first, { items: 2, steps: 0 }, { items: [said('Working.')], chat: { compacted } });
    await world.lapse(first);
    const taken = await world.take(first);
    expect(taken!.chat).toMatchObject({ compacted, history: [system, { kind: 'user' }, said('Working.')] });
    await world.end(taken!.turn, { items: 3, steps: 0 });
    const second = nextOf(first, { items: [system, { kind: 'user', content: 'On.' }] });
    // The client's system message went with the beginning, so it comes again.
    expect(await world.begin(second)).toMatchObject({ compacted, history: [system, { kind: 'user' }, said('Working.'), said('Done.'), system, { kind: 'user', content: 'On.' }] });
  });

  it('has one running turn', async () => {
    const first = await world.begun();
    await expect(world.begin(nextOf(first))).rejects.toMatchObject({ kind: 'refusal', slug: 'turn-in-progress' });
    await world.end(first);
    await world.begin(nextOf(first));
  });

  it('takes one of two turns that begin at the same time, with the messages of that one', async () => {
    for (let round = 0; round < 10; round += 1) {
      const first = await world.begun();
      await world.end(first);
      const both = [nextOf(first, { items: [{ kind: 'user', content: 'A' }] }), nextOf(first, { items: [{ kind: 'user', content: 'B' }] })];
      const ends = await Promise.allSettled(both.map((turn) => world.begin(turn)));
      expect(ends.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
      expect(ends.find((one) => one.status === 'rejected')).toMatchObject({ reason: { slug: 'turn-in-progress' } });
      expect(await world.numbers(first)).toEqual([0, 1, 2]);
    }
  });

  it('is read by its next turn after the one before it has written its end', async () => {
    const first = await world.begun();
    const ending = world.dataSource.transaction(async (manager) => {
      await manager.query(`SELECT set_config('skillgate.account', $1, true)`, [first.account]);
      await manager.query(`UPDATE turns SET status = 'finished' WHERE id = $1`, [first.turn]);
      await new Promise((resolve) => setTimeout(resolve, 100)); // the next turn begins in between
      await manager.query(`UPDATE chats SET prefix = 'late' WHERE id = $1`, [first.chat]);
    });
    await new Promise((resolve) => setTimeout(resolve, 20));
    const state = await world.begin(nextOf(first));
    await ending;
    expect(state.prefix).toBe('late');
  });

  it('whose turn is asked for again, since nobody heard that it began, has it once', async () => {
    const first = turnOf();
    const [one, two] = await Promise.all([world.begin(first), world.begin(first)]);
    expect([one, two].filter(Boolean)).toHaveLength(1); // one launches it
    expect(await world.begin(first)).toBeUndefined();
    await world.end(first);
    const second = nextOf(first);
    await world.begin(second);
    expect(await world.begin(second)).toBeUndefined();
    expect(await world.begin(first)).toBeUndefined();
    expect(await world.numbers(first)).toEqual([0, 1, 2]);
  });

  it('begun twice is refused and told how to go on', async () => {
    const first = await world.begun();
    const again = turnOf({ account: first.account, user: first.user, chat: first.chat });
    await expect(world.begin(again)).rejects.toMatchObject({ slug: 'unknown-chat', message: expect.stringContaining('Send chat_id') });
  });

  it('that is not there is refused', async () => {
    await expect(world.begin(turnOf({ stateful: true }))).rejects.toMatchObject({ slug: 'unknown-chat' });
  });

  it('keeps a client\'s system message once', async () => {
    const system: HistoryItem = { kind: 'notice', text: 'Be brief.' };
    const first = await world.begun({ items: [system, { kind: 'user', content: 'One' }] });
    await world.end(first);
    const { history } = await world.begin(nextOf(first, { items: [system, { kind: 'user', content: 'Two' }] }));
    expect(history).toEqual([...first.items, said('Done.'), { kind: 'user', content: 'Two' }]);
    expect(await world.numbers(first)).toEqual([0, 1, 2, 3]);
  });

  it('is left as it was when the turn\'s beginning is not committed', async () => {
    const first = await world.begun();
    await world.end(first);
    const failing = () => {
      throw new Error('no');
    };
    await expect(world.store.begin(nextOf(first), failing)).rejects.toThrow('no');
    expect(await world.numbers(first)).toEqual([0, 1]);
    await world.begin(nextOf(first));
  });

  it('holds no connection when its turn has begun', async () => {
    await world.begun();
    const { idle, total, waiting } = poolMetrics(world.dataSource);
    expect({ idle, waiting }).toEqual({ idle: total, waiting: 0 });
  });
});

describe('a turn whose instance went away', () => {
  it('goes on running for whoever asks after it, and keeps its chat', async () => {
    const turn = await world.begun();
    await world.lapse(turn);
    expect(await world.store.get(turn, turn.turn)).toMatchObject({ status: 'running', outcome: null });
    await expect(world.begin(nextOf(turn))).rejects.toMatchObject({ slug: 'turn-in-progress' });
  });

  it('is its instance\'s again when that renews the lease before anybody took it', async () => {
    const turn = await world.begun();
    await world.lapse(turn);
    expect(await world.store.renew(turn)).toEqual({ held: true, cancelRequested: false });
    const [row] = await world.sql<{ long: boolean }>(turn.account, `SELECT lease_until > now() + interval '10 seconds' AS long FROM turns WHERE id = $1`, [turn.turn]);
    expect(row?.long).toBe(true);
    expect(await world.take(turn)).toBeNull();
  });
});

describe('another account', () => {
  it('sees no turn, no step and no chat, and changes none', async () => {
    const turn = await world.begun();
    const stranger = { account: randomUUID(), user: turn.user };
    for (const ask of ['get', 'getWithSteps', 'requestCancel'] as const) {
      await expect(world.store[ask](stranger, turn.turn)).rejects.toMatchObject({ slug: 'unknown-turn' });
    }
    expect(await world.store.renew({ ...turn, ...stranger })).toMatchObject({ held: false });
    await world.lapse(turn);
    await expect(world.store.get(stranger, turn.turn)).rejects.toMatchObject({ slug: 'unknown-turn' });
    expect(await world.take({ ...turn, ...stranger })).toBeNull();
    expect(await world.store.release({ ...turn, ...stranger })).toBe(false);
    const [row] = await world.sql<{ status: string; cancel_requested: boolean }>(turn.account, 'SELECT status, cancel_requested FROM turns WHERE id = $1', [turn.turn]);
    expect(row).toEqual({ status: 'running', cancel_requested: false }); // its own account alone ends it
  });

  it('is told the same of a busy chat, an idle one and none at all', async () => {
    const busy = await world.begun();
    const idle = await world.begun();
    await world.end(idle);
    for (const chat of [busy.chat, idle.chat, randomUUID()]) {
      const message = `You have no chat ${chat} here. Leave chat_id out to begin a new one.`;
      await expect(world.begin(turnOf({ chat, stateful: true }))).rejects.toMatchObject({ slug: 'unknown-chat', message });
    }
  });
});

describe('another user of the account', () => {
  it('sees no turn and no step, stops none, and goes on with no chat', async () => {
    const turn = await world.begun();
    const colleague = { account: turn.account, user: randomUUID() };
    for (const ask of ['get', 'getWithSteps', 'requestCancel'] as const) {
      await expect(world.store[ask](colleague, turn.turn)).rejects.toMatchObject({ slug: 'unknown-turn' });
    }
    await world.end(turn);
    const message = `You have no chat ${turn.chat} here. Leave chat_id out to begin a new one.`;
    await expect(world.begin(nextOf(turn, { user: colleague.user }))).rejects.toMatchObject({ slug: 'unknown-chat', message });
    await world.begin(nextOf(turn));
  });

  it('hides nothing from who may read for the whole account', async () => {
    const turn = await world.begun();
    expect((await world.store.getWithSteps({ account: turn.account }, turn.turn)).turn).toMatchObject({ id: turn.turn });
  });
});

describe('a cancellation', () => {
  it('is written down for a running turn and heard with its lease', async () => {
    const turn = await world.begun();
    expect(await world.store.requestCancel(turn, turn.turn)).toBe(true);
    expect(await world.store.renew(turn)).toEqual({ held: true, cancelRequested: true });
  });

  it('comes too late for one that ended, and in time for one that lost its instance', async () => {
    const [ended, lost] = [await world.begun(), await world.begun()];
    await world.end(ended);
    await world.lapse(lost);
    expect(await world.store.requestCancel(ended, ended.turn)).toBe(false);
    expect(await world.store.requestCancel(lost, lost.turn)).toBe(true);
    expect(await world.take(lost)).toMatchObject({ cancelRequested: true });
  });
});
