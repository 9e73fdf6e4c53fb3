// The suite is kept by what the kit makes, and breaks where an executor believes everybody.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { executorEdges } from '@skillgate/contracts/services/executor';
import { type TestNats, withNats } from '@skillgate/testing/with-nats';
import { modelExecutor, modelPlan } from '../../spec-support/model-executor.js';
import { manifestOf } from '../manifest.js';
import { serveExecutor } from '../serve-executor.js';
import { conform, conformRules } from './conform.js';
import { conformEdges } from './peers.js';
import type { StartSubject } from './examined.js';
import { type ConformReport, printReport } from './report.js';

let nats: TestNats;
beforeAll(async () => {
  nats = await withNats([...conformEdges('model'), executorEdges('gullible')]);
}, 30_000);
afterAll(() => nats?.close());

const kitExecutor: StartSubject = async () => {
  const env = { SKILLGATE_NATS_URL: nats.url, SKILLGATE_NATS_PASSWORD: nats.passwords['model'], SKILLGATE_LOG_LEVEL: 'silent' };
  const service = await serveExecutor(modelExecutor, env);
  return { stop: () => service.stop(10_000).then(() => 0) };
};

/** Answers everything with the same words, settles nothing, and says that it is there once. */
const gullible: StartSubject = async () => {
  const wire = await nats.connect('gullible');
  const manifest = manifestOf(modelExecutor);
  let calls = 0;
  await wire.serveTools('gullible', async () => ({ content: { calls: (calls += 1) }, artifacts: [] })).ready;
  wire.announce({ ...manifest, executor: 'gullible', tools: manifest.tools.map((tool) => ({ ...tool, schemaDigest: 'a'.repeat(64) })), instance: randomUUID(), state: 'serving' });
  return { stop: () => wire.close().then(() => 1) };
};

const failing = ({ rules }: ConformReport, verdict: string) => rules.filter((one) => one.verdict === verdict).map(({ rule }) => rule);
const ask = (executor: string, start: StartSubject, announceWithinMs?: number) =>
  conform({ executor, plan: modelPlan, servers: nats.url, passwords: nats.passwords, start, announceWithinMs });

describe('the conformance suite', () => {
  it('is kept whole by an executor of the kit', async () => {
    const report = await ask('model', kitExecutor);
    expect(printReport(report)).toContain(`model@1.2.3`);
    expect(report.rules.filter(({ verdict }) => verdict !== 'kept')).toEqual([]);
    expect(report.kept).toBe(conformRules.length);
  }, 90_000);

  it('finds each promise that an executor breaks which believes everybody, and says what to do', async () => {
    const report = await ask('gullible', gullible);
    // What the wire does for whoever uses it, and what cannot be seen from outside.
    expect(failing(report, 'kept')).toEqual([
      ...['announces', 'answers', 'malformed-no-JSON', 'malformed-no-object', 'malformed-without-an-object-of-arguments', 'malformed-empty'],
      ...['no-reply-subject', 'accounts-apart', 'new-key', 'deadline-passed', 'cancel-stray'],
    ]);
    expect(failing(report, 'broken')).toEqual(
      expect.arrayContaining([
        ...['digests', 'call-id-missing', 'invalid-arguments', 'one-result', 'one-result-at-once', 'replayed-arguments', 'replayed-turn'],
        ...['grant-missing', 'grant-garbage', 'grant-foreign-key', 'grant-altered', 'grant-unsigned', 'grant-other-kind', 'grant-expired'],
        ...['grant-audience', 'grant-turn', 'grant-tool', 'unknown-tool', 'grant-before-arguments', 'grant-call', 'grant-outdated'],
        ...['settle-never', 'settle-done', 'settle-other-turn', 'settle-malformed', 'heartbeats', 'drain'],
      ]),
    );
    for (const { verdict, sent, came, advice } of report.rules) if (verdict === 'broken') expect([sent, came, advice].every(Boolean)).toBe(true);
  }, 120_000);

  it('tries nothing more with an executor that never comes', async () => {
    const silent: StartSubject = async () => ({ stop: async () => 0 });
    const report = await ask('model', silent, 500);
    expect(report).toMatchObject({ version: null, kept: 0, broken: 1, rules: [{ rule: 'announces', verdict: 'broken' }] });
  }, 20_000);
});
