import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import * as calls from '@skillgate/contracts/calls/accounts';
import { createApiKey } from '@skillgate/contracts/calls/api-keys';
import { bootService } from '@skillgate/service-kit/boot';
import type { Wire } from '@skillgate/wire/wire';
import { openAccountsHouse, type AccountsHouse } from './accounts-house.fixture.js';
import { accountsService } from './accounts.service-definition.js';

let house: AccountsHouse;
let gateway: Wire;
let operator: string;

beforeAll(async () => {
  house = await openAccountsHouse();
  ({ gateway, operator } = house);
}, 60_000);

afterAll(() => house?.close());

const account = (tier?: string) => house.account(tier);
const refused = (slug: string) => expect.objectContaining({ kind: 'refusal', slug });
const auditOf = (of: { id: string; admin: string }) => house.auditOf(of);

describe('tiers', () => {
  const limits = { turnsPerDay: 10, tokensPerDay: 1_000_000, parallelTurns: 1 };
  const put = (name: string, capabilities: string[], more = limits) =>
    gateway.call(calls.putTier, { authority: operator, name, capabilities, limits: more });

  it('are defined by an operator, and accounts on them have their rights', async () => {
    await put('gold', ['tools', 'sandbox']);
    const made = await gateway.call(calls.createAccount, { authority: operator, name: 'Gilt', tier: 'gold' });
    expect(made).toMatchObject({ tier: 'gold', capabilities: ['sandbox', 'tools'], limits });
    const { tiers } = await gateway.call(calls.listTiers, { authority: operator });
    expect(tiers.map(({ name }) => name)).toEqual(expect.arrayContaining(['free', 'gold', 'pro', 'team']));
    expect(tiers.find(({ name }) => name === 'gold')).toEqual({ name: 'gold', capabilities: ['tools', 'sandbox'], limits, accounts: 1 });
  });

  it('that change take every account on them along, each with one epoch and one audit entry', async () => {
    await put('silver', ['tools']);
    const accounts = await Promise.all(Array.from({ length: 7 }, () => account('silver')));
    const changer = { account: randomUUID(), user: randomUUID(), roles: ['operator'] as const };
    const authority = await house.ticket({ ...changer, roles: ['operator'] });
    const wanted = { name: 'silver', capabilities: ['tools', 'sandbox'], limits: { ...limits, turnsPerDay: 20 } };
    const changed = await gateway.call(calls.putTier, { authority, ...wanted });
    expect(changed).toMatchObject({ following: 7, behind: 0 });
    for (const each of accounts) {
      const facts = await gateway.call(calls.getAccount, { account: each.id });
      expect(facts).toMatchObject({ capabilities: ['sandbox', 'tools'], limits: { turnsPerDay: 20 }, policyEpoch: 2 });
      const [entry] = await auditOf(each);
      expect(entry).toMatchObject({
        ...{ action: 'follow-tier', target: 'silver', actor: changer },
        ...{ before: { capabilities: ['tools'] }, after: { capabilities: ['sandbox', 'tools'] } },
      });
    }
    expect(await put('silver', ['sandbox', 'tools'], { ...limits, turnsPerDay: 20 })).toMatchObject({ following: 0, behind: 0 });
  });

  it('that changed while a replica died are followed by the accounts once another one starts', async () => {
    await put('tin', []);
    const tin = await account('tin');
    const { id } = tin;
    await house.admin.query(`UPDATE tiers SET capabilities = '{tools}' WHERE name = 'tin'`);
    const replica = await bootService(accountsService, house.env);
    const facts = () => gateway.call(calls.getAccount, { account: id });
    for (const end = Date.now() + 5_000; (await facts()).policyEpoch < 2 && Date.now() < end;) {
      await new Promise((go) => setTimeout(go, 20));
    }
    expect(await facts()).toMatchObject({ capabilities: ['tools'], policyEpoch: 2 });
    // Nobody is named who did not do it: who writes SQL shows no key.
    expect((await auditOf(tin))[0]).toMatchObject({ action: 'follow-tier', actor: { service: 'accounts', roles: [] } });
    await replica.stop();
  });

  it('are not deleted while an account is on them', async () => {
    await put('bronze', []);
    const { id } = await account('bronze');
    const remove = () => gateway.call(calls.deleteTier, { authority: operator, name: 'bronze' });
    await expect(remove()).rejects.toMatchObject({ slug: 'tier-in-use', details: { accounts: 1 } });
    await gateway.call(calls.setTier, { authority: operator, account: id, tier: 'free' });
    expect(await remove()).toEqual({ name: 'bronze', deleted: true });
    await expect(remove()).rejects.toEqual(refused('unknown-tier'));
  });

  it('stand in the audit log of the platform, which operators read and accounts do not', async () => {
    await put('lead', ['tools']);
    await put('lead', []);
    const { entries } = await gateway.call(calls.listAudit, { authority: operator, action: 'put-tier' });
    expect(entries[0]).toMatchObject({ account: null, target: 'lead', before: { capabilities: ['tools'] }, after: { capabilities: [] } });
    expect(entries[1]).toMatchObject({ account: null, target: 'lead', before: null });
    const { admin } = await account();
    await expect(gateway.call(calls.listAudit, { authority: admin })).rejects.toEqual(refused('not-allowed'));
  });
});

describe('an account', () => {
  it('has capabilities of its own beside those of its tier', async () => {
    const { id } = await account('pro');
    const set = (capabilities: string[]) => gateway.call(calls.setCapabilities, { authority: operator, account: id, capabilities });
    const both = { capabilities: ['sandbox', 'tools'], extraCapabilities: ['sandbox'], policyEpoch: 2 };
    expect(await set(['sandbox', 'sandbox'])).toMatchObject(both);
    expect(await set(['sandbox'])).toMatchObject({ policyEpoch: 2 });
    expect(await set([])).toMatchObject({ capabilities: ['tools'], policyEpoch: 3 });
  });

  it('has limits of its own in place of those of its tier, none where that is said', async () => {
    const { id } = await account('free');
    const set = (limits: object) => gateway.call(calls.setLimits, { authority: operator, account: id, limits });
    expect(await set({ turnsPerDay: 3, parallelTurns: null })).toMatchObject({
      ...{ limits: { turnsPerDay: 3, tokensPerDay: 2_000_000, parallelTurns: null }, policyEpoch: 2 },
      limitOverrides: { turnsPerDay: 3, parallelTurns: null },
    });
    expect(await set({ parallelTurns: null, turnsPerDay: 3 })).toMatchObject({ policyEpoch: 2 });
    expect(await set({})).toMatchObject({ limits: { turnsPerDay: 200, tokensPerDay: 2_000_000, parallelTurns: 4 }, policyEpoch: 3 });
  });

  it('tells its limits to whoever reads its facts and to whoever authenticates', async () => {
    const { id, admin } = await account('free');
    const { secret } = await gateway.call(createApiKey, { authority: admin, account: id, name: 'k' });
    const free = { turnsPerDay: 200, tokensPerDay: 2_000_000, parallelTurns: 4 };
    expect(await gateway.call(calls.authenticate, { key: secret })).toMatchObject({ limits: free });
    const facts = await gateway.call(calls.setSkillState, { authority: admin, account: id, skill: 'a', state: 'never' });
    expect(facts.limits).toEqual(free);
  });

  it('is listed for operators, page by page, oldest first', async () => {
    const made = [];
    for (let n = 0; n < 3; n += 1) made.push((await account()).id);
    const seen: string[] = [];
    for (let after: string | undefined; ;) {
      const { accounts } = await gateway.call(calls.listAccounts, { authority: operator, after, limit: 2 });
      seen.push(...accounts.map(({ id }) => id));
      after = accounts.at(-1)?.id;
      if (!after) break;
    }
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen.slice(-3)).toEqual(made);
  });
});
