import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Actor } from '@skillgate/contracts/audit';
import { openStore } from '@skillgate/store/data-source';
import { withDatabase, type TestDatabase } from '@skillgate/testing/with-database';
import type { DataSource } from 'typeorm';
import { AccountsStore } from './accounts-store.js';
import { FollowTiers } from './follow-tiers.js';
import { accountsStore } from './store-definition.js';

let database: TestDatabase;
let serviceUrl: string;
let dataSource: DataSource;
let accounts: AccountsStore;
const quiet = { info: () => {}, warn: () => {} };
/** Who runs the platform, so that roles stand in no way. */
const actor: Actor = { account: randomUUID(), user: randomUUID(), roles: ['operator'] };

beforeAll(async () => {
  database = await withDatabase();
  serviceUrl = await database.migrate(accountsStore);
  // One connection for everything: what one account leaves on it, the next would find.
  dataSource = await openStore({ ...accountsStore, url: serviceUrl, pool: { max: 1 } });
  accounts = new AccountsStore(dataSource);
});

afterAll(async () => {
  await dataSource?.destroy();
  await database?.close();
});
describe('the events of an account', () => {
  let admin: DataSource;
  beforeAll(async () => {
    admin = await openStore({ schema: 'accounts', entities: [], url: database.adminUrl });
  });
  afterAll(() => admin?.destroy());

  const eventsOf = async (account: string) => {
    const rows = (await admin.query('SELECT subject, body FROM outbox WHERE aggregate = $1 ORDER BY seq', [account])) as {
      subject: string;
      body: string;
    }[];
    return rows.map(({ subject, body }) => ({ what: subject.split('.').at(-1), ...JSON.parse(body) }) as Record<string, unknown>);
  };

  it('begin with its first facts, and each change adds the whole facts of its epoch', async () => {
    const { account } = (await accounts.create('told', 'free', actor)).entitlements;
    await accounts.setTier(account, 'pro', actor);
    await accounts.setTier(account, 'pro', actor);
    await accounts.setSkillLock(account, 'briefing-memo', 'admin', 'never', actor);
    const events = await eventsOf(account);
    const both = (epoch: number) => ['entitlements-changed', 'policy-raised'].map((what) => [what, epoch]);
    expect(events.map(({ what, policyEpoch }) => [what, policyEpoch])).toEqual([1, 2, 3].flatMap(both));
    expect(events.at(-2)).toEqual({ what: 'entitlements-changed', ...(await accounts.facts(account)).entitlements });
    expect(events.at(-1)).toEqual({ what: 'policy-raised', account, policyEpoch: 3 }); // and nothing of what the account may
  });

  it('name an integration that came or went, under the epoch of the facts beside it', async () => {
    const { account } = (await accounts.create('connected', 'pro', actor)).entitlements;
    await accounts.setIntegration(account, 'slack', true, actor);
    await accounts.setIntegration(account, 'slack', true, actor);
    await accounts.setIntegration(account, 'slack', false, actor);
    const facts = (await eventsOf(account)).filter(({ what }) => what !== 'policy-raised');
    const rest = facts.slice(1).map(({ what, integration, policyEpoch }) => [what, integration, policyEpoch]);
    expect(rest).toEqual([
      ['entitlements-changed', undefined, 2],
      ['integration-connected', 'slack', 2],
      ['entitlements-changed', undefined, 3],
      ['integration-disconnected', 'slack', 3],
    ]);
  });

  it('stand in the order of the epochs, however many change it at once', async () => {
    const { account } = (await accounts.create('crowded', 'free', actor)).entitlements;
    const wide = await openStore({ ...accountsStore, url: serviceUrl, pool: { max: 5 } });
    const busy = new AccountsStore(wide);
    await Promise.all(Array.from({ length: 20 }, (_, n) => busy.setSkillState(account, `skill-${n}`, 'never', actor))).finally(() =>
      wide.destroy(),
    );
    const told = (await eventsOf(account)).map(({ policyEpoch }) => policyEpoch);
    expect(told).toEqual(Array.from({ length: 21 }, (_, n) => [n + 1, n + 1]).flat());
  });

  it('are not there for a change that failed', async () => {
    const { account } = (await accounts.create('failed', 'free', actor)).entitlements;
    await expect(accounts.setTier(account, 'gold', actor)).rejects.toMatchObject({ slug: 'unknown-tier' });
    expect((await eventsOf(account)).map(({ policyEpoch }) => policyEpoch)).toEqual([1, 1]);
  });

  it('follow rights that were changed by SQL: those of a tier with its accounts, those of an account with its next event', async () => {
    const [one, two] = [
      (await accounts.create('one', 'pro', actor)).entitlements.account,
      (await accounts.create('two', 'free', actor)).entitlements.account,
    ];
    const epochs = () => Promise.all([one, two].map(async (account) => (await accounts.facts(account)).entitlements.policyEpoch));
    await admin.query(`UPDATE tiers SET capabilities = capabilities || '{sandbox}' WHERE name = 'pro'`);
    expect((await accounts.facts(one)).entitlements).toMatchObject({ capabilities: ['tools'], policyEpoch: 1 });
    await new FollowTiers(dataSource, quiet).follow();
    expect((await accounts.facts(one)).entitlements).toMatchObject({ capabilities: ['sandbox', 'tools'], policyEpoch: 2 });
    expect((await eventsOf(one)).at(-1)).toMatchObject({ policyEpoch: 2 });
    await admin.query(`UPDATE tiers SET capabilities = '{tools}' WHERE name = 'pro'`);
    await new FollowTiers(dataSource, quiet).follow();
    await admin.query(`UPDATE accounts SET extra_capabilities = '{sandbox}' WHERE id = $1`, [two]);
    await admin.query(`UPDATE accounts SET extra_capabilities = '{sandbox}', name = 'same' WHERE id = $1`, [two]);
    expect(await epochs()).toEqual([3, 2]);
  });
});
