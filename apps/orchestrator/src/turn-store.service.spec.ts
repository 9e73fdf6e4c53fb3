import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { route, type RouteStep } from '@skillgate/contracts/route';
import type { HistoryItem } from '@skillgate/prompt/history';
import { inAccount } from '@skillgate/store/account-scope';
import { openStore } from '@skillgate/store/data-source';
import { poolMetrics } from '@skillgate/store/pool-metrics';
import { type TestDatabase, withDatabase } from '@skillgate/testing/with-database';
import type { DataSource } from 'typeorm';
import { buildRoute } from './build-route.js';
import type { TurnFacts } from './entities.js';
import { digestOf, outcomeOf, turnOf } from './spec-support/facts.js';
import { orchestratorStore } from './store-definition.js';
import type { ChatState, NewTurn } from './turn-records.js';
import { TurnStore } from './turn-store.js';

const facts: TurnFacts = { visible: [], withheld: [], tokens: { base: 0, catalog: 0, loaded: 0, tools: 0, conversation: 0, monolith: 0 }, catalogHash: null };
const said = (text: string): HistoryItem => ({ kind: 'assistant', text, calls: [] });
const step = (finish: string): RouteStep => ({ kind: 'model', ms: 1, inputTokens: null, outputTokens: null, cachedTokens: null, finish });
const nothing = { items: [], steps: [], chat: {} };

describe('the store of chats and turns', () => {
  let database: TestDatabase;
  let dataSource: DataSource;
  let store: TurnStore;
  beforeAll(async () => {
    database = await withDatabase();
    dataSource = await openStore({ ...orchestratorStore, url: await database.migrate(orchestratorStore), pool: { max: 4 } });
    store = new TurnStore(dataSource);
  }, 60_000);
  afterAll(async () => {
    await dataSource?.destroy();
    await database?.close();
  });

  const begin = async (turn: NewTurn): Promise<ChatState> => {
    let chat: ChatState | undefined;
    await store.begin(turn, (state) => (chat = state));
    return chat as ChatState;
  };
  /** The next turn of a chat, not begun yet. */
  const next = ({ account, user, chat }: NewTurn, change: Partial<NewTurn> = {}): NewTurn => ({ ...turnOf({ account, user, chat, stateful: true }), ...change });
  const end = (turn: NewTurn, from = { items: turn.items.length, steps: 0 }, items: HistoryItem[] = [said('Done.')], outcome = outcomeOf()) =>
    store.end(turn, from, { ...nothing, items, outcome, facts });
  const sql = (account: string, text: string, values: unknown[]) => inAccount(dataSource, account, (manager) => manager.query(text, values));
  const lapse = ({ account, turn }: NewTurn) => sql(account, `UPDATE turns SET lease_until = now() - interval '1 second' WHERE id = $1`, [turn]);
  const numbers = async ({ account, chat }: NewTurn): Promise<number[]> =>
    ((await sql(account, 'SELECT seq FROM chat_items WHERE chat = $1 ORDER BY seq', [chat])) as { seq: number }[]).map(({ seq }) => seq);
  const begun = async (change: Partial<NewTurn> = {}): Promise<NewTurn> => {
    const turn = turnOf(change);
    await begin(turn);
    return turn;
  };

  describe('a chat', () => {
    it('begins with its first turn, and its next turn finds it as it was left', async () => {
      const first = turnOf();
      expect(await begin(first)).toEqual({ prefix: null, prefixHash: null, prefixTools: null, announced: [], pinned: [], epoch: 0, history: first.items });
      const pinned = [{ slug: 'memo', version: '1.0.0', digest: digestOf('a') }];
      const prefix = { prefix: 'p', prefixHash: 'h', prefixTools: true, announced: ['memo'], epoch: 2 };
      await store.append(first, { items: 1, steps: 0 }, { items: [said('Working.')], steps: [], chat: { ...prefix, pinned }, facts });
      await end(first, { items: 2, steps: 0 });
      const second = next(first);
      expect(await begin(second)).toEqual({ ...prefix, pinned, history: [...first.items, said('Working.'), said('Done.'), ...second.items] });
      expect(await numbers(first)).toEqual([0, 1, 2, 3]);
    });

    it('has one running turn', async () => {
      const first = await begun();
      await expect(begin(next(first))).rejects.toMatchObject({ kind: 'refusal', slug: 'turn-in-progress' });
      await end(first);
      await begin(next(first));
    });

    it('takes one of two turns that begin at the same time, with the messages of that one', async () => {
      for (let round = 0; round < 10; round += 1) {
        const first = await begun();
        await end(first);
        const both = [next(first, { items: [{ kind: 'user', content: 'A' }] }), next(first, { items: [{ kind: 'user', content: 'B' }] })];
        const ends = await Promise.allSettled(both.map(begin));
        expect(ends.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
        expect(ends.find((one) => one.status === 'rejected')).toMatchObject({ reason: { slug: 'turn-in-progress' } });
        expect(await numbers(first)).toEqual([0, 1, 2]);
      }
    });

    it('is read by its next turn after the one before it has written its end', async () => {
      const first = await begun();
      const ending = dataSource.transaction(async (manager) => {
        await manager.query(`SELECT set_config('skillgate.account', $1, true)`, [first.account]);
        await manager.query(`UPDATE turns SET status = 'finished' WHERE id = $1`, [first.turn]);
        await new Promise((resolve) => setTimeout(resolve, 100)); // the next turn begins in between
        await manager.query(`UPDATE chats SET prefix = 'late' WHERE id = $1`, [first.chat]);
      });
      await new Promise((resolve) => setTimeout(resolve, 20));
      const state = await begin(next(first));
      await ending;
      expect(state.prefix).toBe('late');
    });

    it('begun twice is refused and told how to go on', async () => {
      const first = await begun();
      await expect(begin({ ...turnOf({ account: first.account, user: first.user }), chat: first.chat })).rejects.toMatchObject({ slug: 'unknown-chat', message: expect.stringContaining('Send chat_id') });
    });

    it('that is not there is refused', async () => {
      await expect(begin(turnOf({ stateful: true }))).rejects.toMatchObject({ slug: 'unknown-chat' });
    });

    it('keeps a client\'s system message once', async () => {
      const system: HistoryItem = { kind: 'notice', text: 'Be brief.' };
      const first = await begun({ items: [system, { kind: 'user', content: 'One' }] });
      await end(first);
      const { history } = await begin(next(first, { items: [system, { kind: 'user', content: 'Two' }] }));
      expect(history).toEqual([...first.items, said('Done.'), { kind: 'user', content: 'Two' }]);
      expect(await numbers(first)).toEqual([0, 1, 2, 3]);
    });

    it('is left as it was when the turn\'s beginning is not committed', async () => {
      const first = await begun();
      await end(first);
      await expect(store.begin(next(first), () => { throw new Error('no'); })).rejects.toThrow('no');
      expect(await numbers(first)).toEqual([0, 1]);
      await begin(next(first));
    });

    it('holds no connection when its turn has begun', async () => {
      await begun();
      const { idle, total, waiting } = poolMetrics(dataSource);
      expect({ idle, waiting }).toEqual({ idle: total, waiting: 0 });
    });
  });

  describe('a turn whose instance went away', () => {
    it('is running as long as its lease, and is ended by whoever asks after it', async () => {
      const turn = await begun();
      expect(await store.get(turn.account, turn.turn)).toMatchObject({ status: 'running', outcome: null });
      await lapse(turn);
      expect(await store.get(turn.account, turn.turn)).toMatchObject({ status: 'failed', outcome: { error: { slug: 'turn-interrupted' } }, endedAt: expect.any(Date) });
    });

    it('frees its chat for the next turn, which finds a last word', async () => {
      const turn = await begun();
      await lapse(turn);
      const { history } = await begin(next(turn));
      expect(history.slice(1, -1)).toEqual([said('[This answer was interrupted: turn-interrupted.]')]);
      expect(await store.get(turn.account, turn.turn)).toMatchObject({ status: 'failed' });
    });

    it('is not ended when its lease is renewed in time', async () => {
      const turn = await begun();
      await sql(turn.account, `UPDATE turns SET lease_until = now() + interval '1 second' WHERE id = $1`, [turn.turn]);
      expect(await store.renew(turn.account, turn.turn)).toEqual({ held: true, cancelRequested: false });
      const [row] = (await sql(turn.account, `SELECT lease_until > now() + interval '10 seconds' AS long FROM turns WHERE id = $1`, [turn.turn])) as { long: boolean }[];
      expect(row?.long).toBe(true);
    });
  });

  describe('a turn that was ended elsewhere', () => {
    it('takes nothing more: no items, no steps, no outcome, no lease', async () => {
      const turn = await begun();
      await lapse(turn);
      await store.get(turn.account, turn.turn);
      const late = { items: [said('late')], steps: [step('stop')], chat: { prefix: 'late' } };
      await expect(store.append(turn, { items: 1, steps: 0 }, { ...late, facts })).rejects.toMatchObject({ slug: 'turn-not-held' });
      await expect(end(turn)).rejects.toMatchObject({ slug: 'turn-not-held' });
      expect(await store.renew(turn.account, turn.turn)).toEqual({ held: false, cancelRequested: false });
      expect(await numbers(turn)).toEqual([0]);
      expect(await store.getWithSteps(turn.account, turn.turn)).toMatchObject({ steps: [], turn: { status: 'failed', outcome: { error: { slug: 'turn-interrupted' } } } });
      expect((await begin(next(turn))).prefix).toBeNull();
    });

    it('does not write into the turn that came behind it in the same chat', async () => {
      const turn = await begun();
      await lapse(turn);
      await begin(next(turn));
      await expect(store.append(turn, { items: 1, steps: 0 }, { ...nothing, items: [said('late')], facts })).rejects.toMatchObject({ slug: 'turn-not-held' });
      expect(await numbers(turn)).toEqual([0, 1, 2]);
    });
  });

  describe('a commit whose answer was lost', () => {
    it('may be made again and writes nothing twice', async () => {
      const turn = await begun();
      const made = { items: [said('a'), said('b')], steps: [step('x'), step('y')], chat: {}, facts };
      await store.append(turn, { items: 1, steps: 0 }, made);
      await store.append(turn, { items: 1, steps: 0 }, { ...made, items: [...made.items, said('c')] });
      expect(await numbers(turn)).toEqual([0, 1, 2, 3]);
      expect((await store.getWithSteps(turn.account, turn.turn)).steps).toHaveLength(2);
    });

    it('of the end is known as the same end, and another end is not', async () => {
      const turn = await begun();
      await end(turn);
      await end(turn);
      await expect(end(turn, undefined, [said('Else.')], outcomeOf({ answer: 'Else.' }))).rejects.toMatchObject({ slug: 'turn-not-held' });
      expect(await numbers(turn)).toEqual([0, 1]);
    });

    it('that would write over another turn\'s items is an error and changes nothing', async () => {
      const first = await begun();
      await end(first);
      const second = next(first);
      await begin(second);
      await expect(store.append(second, { items: 1, steps: 0 }, { ...nothing, items: [said('over')], facts })).rejects.toThrow('items of another turn');
      await end(second, { items: 3, steps: 0 });
      expect((await begin(next(first))).history.slice(0, 3)).toEqual([...first.items, said('Done.'), ...second.items]);
    });
  });

  describe('what is written', () => {
    it('is numbered without a gap over several commits, items by chat and steps by turn', async () => {
      const turn = await begun({ items: [{ kind: 'facts', text: 'f' }, { kind: 'user', content: 'u' }] });
      await store.append(turn, { items: 2, steps: 0 }, { ...nothing, items: [said('a')], steps: [step('1'), step('2')], facts });
      await store.append(turn, { items: 3, steps: 2 }, { ...nothing, facts });
      await store.append(turn, { items: 3, steps: 2 }, { ...nothing, items: [said('b'), said('c')], steps: [step('3')], facts });
      expect(await numbers(turn)).toEqual([0, 1, 2, 3, 4]);
      const { steps } = await store.getWithSteps(turn.account, turn.turn);
      expect(steps.map((one) => one.kind === 'model' && one.finish)).toEqual(['1', '2', '3']);
    });

    it('keeps U+0000 and halves of surrogate pairs as U+FFFD, in messages, steps, outcome and facts', async () => {
      const odd = 'a\u0000b\uD83Dc\uDE00d \u{1F600}';
      const even = 'a\uFFFDb\uFFFDc\uFFFDd \u{1F600}';
      const turn = await begun({ items: [{ kind: 'user', content: [{ type: 'text', text: odd }] }] });
      await store.append(turn, { items: 1, steps: 0 }, { ...nothing, items: [said(odd)], steps: [step(odd)], chat: { prefix: odd, announced: [odd] }, facts: { ...facts, visible: [odd] } });
      const outcome = outcomeOf({ answer: odd, status: 'failed', error: { slug: 'x', message: odd } });
      await store.end(turn, { items: 2, steps: 1 }, { ...nothing, outcome, facts: { ...facts, visible: [odd] } });
      const { turn: row, steps } = await store.getWithSteps(turn.account, turn.turn);
      expect(row).toMatchObject({ outcome: { answer: even, error: { message: even } }, facts: { visible: [even] } });
      expect(steps).toEqual([step(even)]);
      const state = await begin(next(turn));
      expect(state.history.slice(0, 2)).toEqual([{ kind: 'user', content: [{ type: 'text', text: even }] }, said(even)]);
      expect(state).toMatchObject({ prefix: even, announced: [even] });
    });

    it('makes a route of its contract', async () => {
      const turn = await begun();
      await store.append(turn, { items: 1, steps: 0 }, { ...nothing, steps: [step('stop')], facts: { ...facts, visible: ['memo'] } });
      await end(turn, { items: 1, steps: 1 });
      const { turn: row, steps } = await store.getWithSteps(turn.account, turn.turn);
      expect(route.parse(buildRoute(row, steps))).toMatchObject({ status: 'finished', traceId: turn.traceId, ms: expect.any(Number) });
      expect(row.endedAt!.getTime()).toBeGreaterThanOrEqual(row.startedAt.getTime());
    });
  });

  describe('another account', () => {
    it('sees no turn, no step and no chat, and changes none', async () => {
      const turn = await begun();
      const stranger = randomUUID();
      await expect(store.get(stranger, turn.turn)).rejects.toMatchObject({ slug: 'unknown-turn' });
      await expect(store.getWithSteps(stranger, turn.turn)).rejects.toMatchObject({ slug: 'unknown-turn' });
      await expect(store.requestCancel(stranger, turn.turn)).rejects.toMatchObject({ slug: 'unknown-turn' });
      expect(await store.renew(stranger, turn.turn)).toMatchObject({ held: false });
      await lapse(turn);
      await expect(store.get(stranger, turn.turn)).rejects.toMatchObject({ slug: 'unknown-turn' });
      const [row] = (await sql(turn.account, 'SELECT status FROM turns WHERE id = $1', [turn.turn])) as { status: string }[];
      expect(row?.status).toBe('running'); // ended by its own account alone
    });

    it('is told the same of a busy chat, an idle one and none at all', async () => {
      const busy = await begun();
      const idle = await begun();
      await end(idle);
      for (const chat of [busy.chat, idle.chat, randomUUID()]) {
        const refusal = await begin(turnOf({ chat, stateful: true })).catch((error: { slug: string; message: string }) => error);
        expect(refusal).toMatchObject({ slug: 'unknown-chat', message: `There is no chat ${chat} in this account. Leave chat_id out to begin a new one.` });
      }
    });
  });

  describe('a cancellation', () => {
    it('is written down for a running turn and heard with its lease', async () => {
      const turn = await begun();
      expect(await store.requestCancel(turn.account, turn.turn)).toBe(true);
      expect(await store.renew(turn.account, turn.turn)).toEqual({ held: true, cancelRequested: true });
    });

    it('comes too late for one that ended or lost its instance', async () => {
      const [ended, lost] = [await begun(), await begun()];
      await end(ended);
      await lapse(lost);
      expect(await store.requestCancel(ended.account, ended.turn)).toBe(false);
      expect(await store.requestCancel(lost.account, lost.turn)).toBe(false);
    });
  });
});
