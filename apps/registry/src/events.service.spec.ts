import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Entitlements } from '@skillgate/contracts/entitlements';
import { EntitlementsProjection } from '@skillgate/store/entitlements-projection';
import { announcedTool, entitled } from './spec-support/facts.js';
import { newTurn, startRegistry, until, type LiveRegistry } from './spec-support/live-registry.js';

const readText = announcedTool();
const chart = announcedTool({ name: 'analytics_chart', profile: 'analytics', description: 'Draws a chart.' });
const facts = (account: string, policyEpoch: number, change: Partial<Entitlements> = {}) => entitled({ account, policyEpoch, ...change });
const early = randomUUID();

let registry: LiveRegistry;

beforeAll(async () => {
  registry = await startRegistry({ told: [facts(early, 1), facts(early, 2, { tier: 'team', capabilities: ['tools', 'sandbox'] })] });
  await registry.addReplica();
  await registry.serve(readText);
}, 60_000);

afterAll(() => registry?.stop());

beforeEach(() => {
  registry.account.facts = entitled();
  registry.account.asked = [];
});

/** What each replica decides on, and how often accounts was asked for it. */
const known = async (account: string) => {
  const before = registry.account.asked.length;
  const seen = await Promise.all(registry.replicas.map(({ app }) => app.get(EntitlementsProjection, { strict: false }).of(account, 0)));
  return { epochs: seen.map(({ policyEpoch }) => policyEpoch), asked: registry.account.asked.length - before };
};
const turnOf = (account: string, policyEpoch = 1) => newTurn({ ticket: { account, policyEpoch }, receipt: { account, policyEpoch } });

describe('what accounts tells', () => {
  it('is known to a registry that starts empty, without asking', async () => {
    await until(
      async () => known(early),
      ({ epochs }) => epochs.every((epoch) => epoch === 2),
    );
    expect(await known(early)).toEqual({ epochs: [2, 2], asked: 0 });
  });

  it('reaches every replica, and the next resolve decides on it without asking accounts', async () => {
    const account = randomUUID();
    await registry.tell(facts(account, 1));
    await until(
      async () => (await known(account)).epochs,
      (epochs) => epochs.every((epoch) => epoch === 1),
    );
    const turn = turnOf(account);
    for (let n = 0; n < 6; n += 1) expect((await registry.resolve(turn)).tools).toHaveLength(1);
    registry.account.asked = [];
    await registry.tell(facts(account, 2, { tier: 'free', capabilities: [] }));
    await until(
      async () => (await known(account)).epochs,
      (epochs) => epochs.every((epoch) => epoch === 2),
    );
    for (let n = 0; n < 6; n += 1) await expect(registry.resolve(turn)).rejects.toMatchObject({ slug: 'tools-not-allowed' });
    expect(registry.account.asked).toEqual([]);
  });

  it('changes nothing when it comes twice, or late with an older epoch', async () => {
    const account = randomUUID();
    const id = randomUUID();
    await registry.tell(facts(account, 5), { id });
    await until(
      async () => (await known(account)).epochs,
      (epochs) => epochs.every((epoch) => epoch === 5),
    );
    await registry.tell(facts(account, 5), { id });
    await registry.tell(facts(account, 4, { capabilities: [] }));
    await until(
      async () => (await registry.replicas[0]!.wire.consumers())[0]!,
      ({ pending, ackPending }) => pending + ackPending === 0,
    );
    expect(await known(account)).toEqual({ epochs: [5, 5], asked: 0 });
    expect(await registry.asAdmin(`SELECT policy_epoch FROM registry.entitlements WHERE account = '${account}'`)).toEqual([
      { policy_epoch: 5 },
    ]);
    expect((await registry.resolve(turnOf(account))).tools).toHaveLength(1);
  });

  it('is read through when a ticket has seen more, and kept then', async () => {
    const account = randomUUID();
    await registry.tell(facts(account, 1));
    await until(
      async () => (await known(account)).epochs,
      (epochs) => epochs.every((epoch) => epoch === 1),
    );
    registry.account.facts = facts(account, 9, { capabilities: [] });
    registry.account.asked = [];
    await expect(registry.resolve(turnOf(account, 9))).rejects.toMatchObject({ slug: 'tools-not-allowed' });
    expect(registry.account.asked).toEqual([9]);
    expect(await registry.asAdmin(`SELECT policy_epoch FROM registry.entitlements WHERE account = '${account}'`)).toEqual([
      { policy_epoch: 9 },
    ]);
  });

  it('is rebuilt from the stream when the table was lost, though its consumer has gone on', async () => {
    const account = randomUUID();
    await registry.tell(facts(account, 4));
    await until(
      async () => (await known(account)).epochs,
      (epochs) => epochs.every((epoch) => epoch === 4),
    );
    await registry.asAdmin('TRUNCATE registry.entitlements');
    const fresh = await registry.addReplica();
    const rows = () => registry.asAdmin(`SELECT policy_epoch FROM registry.entitlements WHERE account = '${account}'`);
    await until(rows, (found) => found.length === 1);
    expect(await rows()).toEqual([{ policy_epoch: 4 }]);
    registry.account.asked = [];
    expect(await fresh.app.get(EntitlementsProjection, { strict: false }).of(account, 4)).toEqual(facts(account, 4));
    expect(registry.account.asked).toEqual([]);
  });
});

describe('what the registry tells', () => {
  it('names an executor once when it joins and once when it says goodbye, however many replicas hear it', async () => {
    const of = async () => (await registry.news()).filter(({ what }) => what !== 'manifest-approved');
    await until(of, (news) => news.length === 1);
    expect(await of()).toMatchObject([{ what: 'executor-joined', executor: 'docs', version: '1.0.0' }]);
    registry.announce([readText], { instance: 'docs-2' });
    registry.announce([readText], { instance: 'docs-1', state: 'leaving' });
    registry.announce([readText], { instance: 'docs-2', state: 'leaving' });
    await until(of, (news) => news.length === 2);
    registry.announce([readText], { version: '2.0.0' });
    await until(of, (news) => news.length === 3);
    expect((await of()).slice(1)).toMatchObject([
      { what: 'executor-left', executor: 'docs', why: 'leaving' },
      { what: 'executor-joined', executor: 'docs', version: '2.0.0' },
    ]);
  });

  it('says with each approval everything that stands approved of the executor', async () => {
    registry.announce([readText, chart], { version: '2.0.0' });
    await until(registry.states, (seen) => 'analytics_chart' in seen);
    await registry.approve(chart);
    const approvals = async () => (await registry.news()).filter(({ what }) => what === 'manifest-approved');
    await until(approvals, (news) => news.length === 2);
    const tools = (...of: (typeof readText)[]) =>
      of.map(({ name, profile, effect, schemaDigest }) => ({ name, profile, effect, schemaDigest }));
    expect((await approvals()).map((news) => news.tools)).toEqual([tools(readText), tools(chart, readText)]);
    expect((await approvals())[1]).toMatchObject({ executor: 'docs', by: expect.stringMatching(/^user [0-9a-f-]{36}$/), approvedAt: expect.any(String) });
  });

  it('is nothing when an approval was refused', async () => {
    const before = await registry.news();
    await expect(registry.approve({ ...readText, schemaDigest: 'a'.repeat(64) })).rejects.toMatchObject({ slug: 'manifest-changed' });
    expect(await registry.news()).toEqual(before);
  });
});
