import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { RouteStep } from '@skillgate/contracts/route';
import { inAccount } from '@skillgate/store/account-scope';
import { openStore } from '@skillgate/store/data-source';
import { withDatabase, type TestDatabase } from '@skillgate/testing/with-database';
import type { DataSource, EntityManager } from 'typeorm';
import { orchestratorStore } from './store-definition.js';
import { tellEnded, tellStarted, tellSteps, type ToldTurn } from './tell-turn.js';

let database: TestDatabase;
let store: DataSource;
let admin: DataSource;

beforeAll(async () => {
  database = await withDatabase();
  store = await openStore({ ...orchestratorStore, url: await database.migrate(orchestratorStore) });
  admin = await openStore({ schema: 'orchestrator', entities: [], url: database.adminUrl });
});
afterAll(async () => {
  await store?.destroy();
  await admin?.destroy();
  await database?.close();
});

const account = randomUUID();
const inTransaction = (work: (sql: EntityManager) => Promise<void>) => inAccount(store, account, work);

async function newTurn(): Promise<ToldTurn> {
  const told = { turn: randomUUID(), chat: randomUUID(), account, user: randomUUID(), model: 'offline' };
  await inTransaction(async (sql) => {
    await sql.query('INSERT INTO chats (id, account, "user", model) VALUES ($1, $2, $3, $4)', [told.chat, account, told.user, told.model]);
    await sql.query(
      `INSERT INTO turns (id, account, "user", chat, status, model, plan, trace_id, started_at, lease_until)
       VALUES ($1, $2, $3, $4, 'running', $5, 'expand', 'x', now() - interval '2 seconds', now())`,
      [told.turn, account, told.user, told.chat, told.model],
    );
  });
  return told;
}

async function toldOf(turn: string): Promise<Record<string, unknown>[]> {
  const rows = (await admin.query('SELECT id, subject, body FROM outbox WHERE aggregate = $1 ORDER BY seq', [turn])) as Record<
    string,
    string
  >[];
  return rows.map(({ id, subject, body }) => ({ id, what: subject!.split('.').at(-1), ...JSON.parse(body!) }) as Record<string, unknown>);
}

const model = { kind: 'model', ms: 12, inputTokens: 1, outputTokens: 1, cachedTokens: 0, finish: 'tool_calls' } satisfies RouteStep;
const load = {
  kind: 'load',
  ms: 3,
  callId: 'call_1',
  skill: 'briefing-memo',
  version: '1.0.0',
  digest: null,
  layer: null,
  profiles: ['docs'],
  opened: [],
  withheld: [],
  decision: 'loaded',
  reason: null,
} satisfies RouteStep;
const outcome = (error: { slug: string; message: string } | null) => ({
  status: error ? 'failed' : 'finished',
  answer: 'a secret answer',
  finishReason: error ? 'error' : 'stop',
  error,
  artifacts: [],
  usage: { promptTokens: 7, completionTokens: 3, cachedTokens: 0 },
});
const end = (sql: EntityManager, turn: string, error: { slug: string; message: string } | null = null) =>
  sql.query('UPDATE turns SET status = $2, ended_at = now(), outcome = $3 WHERE id = $1', [
    turn,
    error ? 'failed' : 'finished',
    JSON.stringify(outcome(error)),
  ]);

describe('the events of a turn', () => {
  it('follow its journal: started, each step in its place, ended with what was written', async () => {
    const told = await newTurn();
    await inTransaction((sql) => tellStarted(sql, told));
    await inTransaction((sql) => tellSteps(sql, told, 0, [model, load]));
    await inTransaction(async (sql) => {
      await end(sql, told.turn);
      await tellSteps(sql, told, 2, [{ ...model, finish: 'stop' }]);
      await tellEnded(sql, [told.turn]);
    });
    const { turn, chat, user } = told;
    const whose = { turn, chat, account, user };
    expect(await toldOf(turn)).toMatchObject([
      { what: 'turn-started', ...whose, model: 'offline' },
      { what: 'turn-step-finished', ...whose, step: 0, kind: 'model', name: 'offline', decision: 'tool_calls', ms: 12 },
      { what: 'turn-step-finished', ...whose, step: 1, kind: 'load', name: 'briefing-memo', decision: 'loaded' },
      { what: 'turn-step-finished', ...whose, step: 2, kind: 'model', decision: 'stop' },
      {
        what: 'turn-ended',
        ...whose,
        model: 'offline',
        status: 'finished',
        reason: null,
        usage: { promptTokens: 7, completionTokens: 3, cachedTokens: 0 },
      },
    ]);
    expect((await toldOf(turn)).at(-1)!.ms).toBeGreaterThan(1_900);
  });

  it('say why it failed by the slug, and never what was answered', async () => {
    const { turn } = await newTurn();
    await inTransaction(async (sql) => {
      await end(sql, turn, { slug: 'model-unavailable', message: 'the provider said: swordfish' });
      await tellEnded(sql, [turn]);
    });
    const all = await toldOf(turn);
    expect(all).toMatchObject([{ what: 'turn-ended', status: 'failed', reason: 'model-unavailable' }]);
    expect(JSON.stringify(all)).not.toMatch(/secret answer|swordfish/);
  });

  it('have the same id when a commit is made again whose word was lost', async () => {
    const told = await newTurn();
    for (let n = 0; n < 2; n += 1) await inTransaction((sql) => tellSteps(sql, told, 4, [model]));
    await inTransaction((sql) => tellSteps(sql, told, 5, [model]));
    const ids = (await toldOf(told.turn)).map(({ id }) => id);
    expect(ids[0]).toBe(ids[1]);
    expect(ids[2]).not.toBe(ids[1]);
  });

  it('are not there for a turn that still runs, nor for what was rolled back', async () => {
    const told = await newTurn();
    await inTransaction((sql) => tellEnded(sql, [told.turn]));
    const failing = inTransaction(async (sql) => {
      await tellStarted(sql, told);
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(await toldOf(told.turn)).toEqual([]);
  });
});
