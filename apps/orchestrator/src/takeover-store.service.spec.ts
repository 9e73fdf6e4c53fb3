// Proves: of several instances one has a turn, and who lost it writes nothing more.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { noFacts, said, startStore, stepOf, type StoreWorld } from './spec-support/store-world.js';
import type { NewTurn, OpenRound } from './turn-records.js';

let world: StoreWorld;
beforeAll(async () => {
  world = await startStore();
}, 60_000);
afterAll(() => world?.close());

const request = { ticket: 'a.signed.ticket', sampling: { temperature: 0 }, spanId: 'b7ad6b7169203331' };
const round: OpenRound = {
  text: 'Sending.',
  calls: [{ id: 'c1', name: 'mail_send', arguments: '{}' }],
  intents: { c1: { sentAs: 'c1', executor: 'mail', tool: 'mail_send', effect: 'external', profile: 'google', skill: 'mail@1.0.0' } },
};
const usage = { promptTokens: 10, completionTokens: 5, cachedTokens: 2, usd: 0.5 };
const lapsedTurn = async (change: Partial<NewTurn> = {}): Promise<NewTurn> => {
  const turn = await world.begun({ request, ...change });
  await world.lapse(turn);
  return turn;
};
/** Every way of writing to a turn. */
const writes = (turn: NewTurn) => [
  () => world.append(turn, { items: 1, steps: 0 }, { items: [said('late')], steps: [stepOf('stop')], chat: { prefix: 'late' } }),
  () => world.end(turn),
];

describe('the look for lapsed turns', () => {
  it('finds those of every account that run without an instance, and no others', async () => {
    const [lapsed, other, held, ended] = [await lapsedTurn(), await lapsedTurn(), await world.begun(), await world.begun()];
    await world.end(ended);
    await world.sql(ended.account, `UPDATE turns SET lease_until = now() - interval '1 day' WHERE id = $1`, [ended.turn]);
    const found = await world.lapsed();
    expect(found).toEqual(expect.arrayContaining([lapsed.turn, other.turn]));
    for (const turn of [held, ended]) expect(found).not.toContain(turn.turn);
  });

  it('finds at once what was given away', async () => {
    const turn = await world.begun();
    expect(await world.lapsed()).not.toContain(turn.turn);
    expect(await world.store.release(turn)).toBe(true);
    expect(await world.lapsed()).toContain(turn.turn);
  });
});

describe('a takeover', () => {
  it('is one instance\'s, of many that try at once', async () => {
    for (let n = 0; n < 5; n += 1) {
      const turn = await lapsedTurn();
      const taken = await Promise.all(Array.from({ length: 4 }, () => world.take(turn)));
      expect(taken.filter((one) => one !== null)).toMatchObject([{ turn: { attempt: 2 } }]);
      expect(await world.lapsed()).not.toContain(turn.turn);
    }
  });

  it('brings everything that the journal has, and how long the turn was alone', async () => {
    const turn = await world.begun({ request });
    const prefix = { prefix: 'p', prefixHash: 'h', prefixTools: true, announced: ['memo'], epoch: 0 };
    await world.append(turn, { items: 1, steps: 0 }, { items: [said('Working.')], steps: [stepOf('tool_calls')], chat: prefix, usage });
    await world.append(turn, { items: 2, steps: 1 }, { steps: [stepOf('tool_calls')], round });
    await world.lapse(turn);
    const { turn: id, account, user, chat, model, plan, traceId } = turn;
    expect(await world.take(turn)).toEqual({
      turn: { turn: id, account, user, chat, model, plan, traceId, attempt: 2, items: [], stateful: true, request },
      chat: { ...prefix, pinned: [], compacted: null, persona: null, history: [...turn.items, said('Working.')] },
      firstItem: 0,
      steps: [stepOf('tool_calls'), stepOf('tool_calls')],
      ...{ round, usage, cancelRequested: false, waits: 0, waited: false, approvals: new Map() },
      ageMs: expect.any(Number),
      lapsedMs: expect.any(Number),
    });
  });

  it('brings the words of the persona as which the turn began, and the persona of the chat', async () => {
    const persona = { id: randomUUID(), slug: 'editor', revision: 1, name: 'Editor', instructions: 'Be brief.' };
    const turn = await world.begun({ request: { ...request, persona } });
    const ref = { id: persona.id, slug: 'editor', revision: 1 };
    const prefix = { prefix: 'p', prefixHash: 'h', prefixTools: true, announced: [], epoch: 0 };
    await world.append(turn, { items: 1, steps: 0 }, { items: [said('Working.')], steps: [], chat: { ...prefix, persona: ref }, usage });
    await world.lapse(turn);
    expect(await world.take(turn)).toMatchObject({ turn: { persona }, chat: { persona: ref } });
  });

  it('knows the items of earlier turns from those of this one', async () => {
    const first = await world.begun();
    await world.end(first);
    const second = await lapsedTurn({ account: first.account, user: first.user, chat: first.chat, stateful: true });
    expect(await world.take(second)).toMatchObject({ firstItem: 2, chat: { history: [{}, {}, {}] } });
  });

  it('does not happen to a turn that is held, ended or unknown', async () => {
    const [held, ended] = [await world.begun(), await lapsedTurn()];
    await world.end(ended);
    for (const turn of [held, ended, { turn: randomUUID(), account: held.account }]) expect(await world.take(turn)).toBeNull();
  });
});

describe('an instance that lost its turn', () => {
  it('writes nothing more, neither while the other runs it nor after that ended it', async () => {
    const turn = await lapsedTurn();
    const taken = (await world.take(turn))!.turn;
    for (const write of writes(turn)) await expect(write()).rejects.toMatchObject({ slug: 'turn-not-held' });
    expect(await world.store.renew(turn)).toEqual({ held: false, cancelRequested: false });
    expect(await world.store.release(turn)).toBe(false);
    expect(await world.numbers(turn)).toEqual([0]);
    await world.end(taken, { items: 1, steps: 0 });
    for (const write of writes(turn)) await expect(write()).rejects.toMatchObject({ slug: 'turn-not-held' });
    expect(await world.store.get(turn, turn.turn)).toMatchObject({ status: 'finished', attempt: 2 });
  });

  it('whose commit is under way is waited for, and what it wrote is found', async () => {
    const turn = await lapsedTurn();
    const slow = world.dataSource.transaction(async (manager) => {
      await manager.query(`SELECT set_config('skillgate.account', $1, true)`, [turn.account]);
      await manager.query('UPDATE turns SET facts = $2 WHERE id = $1 AND attempt = 1', [turn.turn, JSON.stringify(noFacts)]);
      await new Promise((resolve) => setTimeout(resolve, 100));
      await manager.query('INSERT INTO chat_items VALUES ($1, 1, $2, $3, $4)', [turn.chat, turn.account, turn.turn, JSON.stringify(said('In time.'))]);
    });
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(await world.take(turn)).toMatchObject({ chat: { history: [{}, said('In time.')] } });
    await slow;
  });
});

it('a turn that ended keeps neither its ticket nor an open round', async () => {
  const turn = await world.begun({ request });
  await world.append(turn, { items: 1, steps: 0 }, { round });
  await world.end(turn);
  const rows = await world.sql(turn.account, 'SELECT request, round FROM turns WHERE id = $1', [turn.turn]);
  expect(rows).toEqual([{ request: null, round: null }]);
});
