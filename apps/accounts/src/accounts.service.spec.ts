import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import * as calls from '@skillgate/contracts/calls/accounts';
import { createApiKey, revokeApiKey } from '@skillgate/contracts/calls/api-keys';
import type { Entitlements } from '@skillgate/contracts/entitlements';
import { entitlementsChanged } from '@skillgate/contracts/events/accounts';
import { edgesOf } from '@skillgate/contracts/service-edges';
import { bootService, type RunningService } from '@skillgate/service-kit/boot';
import type { Wire } from '@skillgate/wire/wire';
import type { DataSource } from 'typeorm';
import { openAccountsHouse, type AccountsHouse } from './accounts-house.fixture.js';
import { AccountsStore } from './accounts-store.js';
import { accountsService } from './accounts.service-definition.js';
import { newApiKey } from './api-key.js';

const listenerEdges = edgesOf({ service: 'listener', serves: [], calls: [calls.getEntitlements], emits: [], hears: [entitlementsChanged] });
const operatorKey = newApiKey();
const system = { service: 'spec', roles: [] };

let house: AccountsHouse;
let service: RunningService;
let gateway: Wire;
/** For what is to happen while no call can come. */
let accounts: AccountsStore;
let admin: DataSource;
let listener: Wire;
let authority: string;

beforeAll(async () => {
  house = await openAccountsHouse({ SKILLGATE_OPERATOR_KEY: operatorKey }, [listenerEdges]);
  ({ service, gateway, admin, operator: authority } = house);
  accounts = service.app.get(AccountsStore, { strict: false });
  listener = await house.nats.connect('listener');
}, 60_000);

afterAll(() => house?.close());

async function until(good: () => boolean | Promise<boolean>, ms = 5_000): Promise<void> {
  for (const end = Date.now() + ms; !(await good()) && Date.now() < end;) await new Promise((resolve) => setTimeout(resolve, 20));
}

const detail = async (part: string) => (await service.health.report()).parts[part]?.detail;

const newAccount = (tier = 'pro') => gateway.call(calls.createAccount, { authority, name: 'Acme', tier });

const revokeUser = (user: string) => admin.query('UPDATE users SET revoked_at = now() WHERE id = $1', [user]);

describe('an API key', () => {
  it('opens its account with the roles and the rights of the moment', async () => {
    const { id: account } = await newAccount();
    const key = await gateway.call(createApiKey, { authority, account, name: 'laptop', roles: ['admin'] });
    expect(key.secret).toMatch(/^sk-sg-[\w-]{43}$/);
    const principal = await gateway.call(calls.authenticate, { key: key.secret });
    expect(principal).toEqual({
      account,
      accountName: 'Acme',
      user: key.user,
      key: key.id,
      roles: ['admin'],
      tier: 'pro',
      capabilities: ['tools'],
      limits: { turnsPerDay: 5_000, tokensPerDay: 50_000_000, parallelTurns: 32 },
      policyEpoch: 1,
    });
  });

  it('is stored as a hash: no column of the database holds the secret', async () => {
    const { id: account } = await newAccount();
    const { secret } = await gateway.call(createApiKey, { authority, account, name: 'k' });
    const rows = await admin.query('SELECT to_jsonb(k) AS row FROM api_keys k');
    const text = JSON.stringify(rows);
    expect(text).toContain(secret.slice(0, 12));
    expect(text).not.toContain(secret.slice(0, 20));
    expect(text).not.toContain(Buffer.from(secret).toString('hex'));
  });

  it('is answered in one shape whether it is malformed, unknown, revoked, or of a revoked user', async () => {
    const { id: account } = await newAccount();
    const revoked = await gateway.call(createApiKey, { authority, account, name: 'old' });
    await gateway.call(revokeApiKey, { authority, account, key: revoked.id });
    const orphan = await gateway.call(createApiKey, { authority, account, name: 'left' });
    await revokeUser(orphan.user);

    const answer = (key: string) => gateway.call(calls.authenticate, { key }).catch((error) => error.toWire());
    const answers = await Promise.all(['nonsense', newApiKey(), revoked.secret, orphan.secret].map(answer));
    expect(answers[0]).toMatchObject({ kind: 'refusal', slug: 'unknown-key' });
    for (const each of answers) expect(each).toEqual(answers[0]);
  });

  it('of a revoked user opens nothing, and that user gets no new one', async () => {
    const { id: account } = await newAccount();
    const { user, secret } = await gateway.call(createApiKey, { authority, account, name: 'k' });
    await revokeUser(user);
    await expect(gateway.call(calls.authenticate, { key: secret })).rejects.toMatchObject({ slug: 'unknown-key' });
    const again = gateway.call(createApiKey, { authority, account, user, name: 'again' });
    await expect(again).rejects.toMatchObject({ slug: 'unknown-user' });
  });

  it('can be revoked twice, and only by its own account', async () => {
    const [{ id: account }, { id: stranger }] = [await newAccount(), await newAccount()];
    const { id: key, secret } = await gateway.call(createApiKey, { authority, account, name: 'k' });
    await expect(gateway.call(revokeApiKey, { authority, account: stranger, key })).rejects.toMatchObject({ slug: 'unknown-key' });
    await expect(gateway.call(calls.authenticate, { key: secret })).resolves.toMatchObject({ account });
    for (let time = 0; time < 2; time += 1) {
      expect(await gateway.call(revokeApiKey, { authority, account, key })).toEqual({ id: key, revoked: true });
    }
  });

  it('gets the role operator in the operator account alone', async () => {
    const { id: account } = await newAccount();
    const asked = gateway.call(createApiKey, { authority, account, name: 'k', roles: ['operator'] });
    await expect(asked).rejects.toMatchObject({ kind: 'refusal', slug: 'role-not-allowed' });
  });

  it('notes its use once an hour, not once a request', async () => {
    const { id: account } = await newAccount();
    const { id, secret } = await gateway.call(createApiKey, { authority, account, name: 'k' });
    const lastUse = async () => (await admin.query('SELECT last_used_at AS at FROM api_keys WHERE id = $1', [id]))[0].at as Date;
    expect(await lastUse()).toBeNull();
    await gateway.call(calls.authenticate, { key: secret });
    const first = await lastUse();
    await gateway.call(calls.authenticate, { key: secret });
    expect(await lastUse()).toEqual(first);
    await admin.query(`UPDATE api_keys SET last_used_at = now() - interval '2 hours' WHERE id = $1`, [id]);
    await gateway.call(calls.authenticate, { key: secret });
    expect((await lastUse()).getTime()).toBeGreaterThanOrEqual(first.getTime());
  });
});

describe('entitlements', () => {
  it('are told to the house with every change and not without one', async () => {
    const { id: account } = await newAccount('free');
    const heard: Entitlements[] = [];
    const hearing = listener.hear(entitlementsChanged, async (payload) => void (payload.account === account && heard.push(payload)), {
      maxInFlight: 1,
    });
    await gateway.call(calls.setTier, { authority, account, tier: 'pro' });
    await gateway.call(calls.setTier, { authority, account, tier: 'pro' });
    await gateway.call(calls.setIntegration, { authority, account, integration: 'slack', connected: true });
    const last = await gateway.call(calls.setSkillLock, { authority, account, skill: 'briefing-memo', by: 'operator', state: 'never' });
    await until(() => heard.length === 4);
    hearing.close();
    expect(heard.map((each) => each.policyEpoch)).toEqual([1, 2, 3, 4]);
    expect(heard[3]).toEqual(last);
    expect(last).toMatchObject({ account, integrations: ['slack'], locks: { operator: { 'briefing-memo': 'never' } } });
  });

  it('change while NATS is away, and the event follows when it is back', async () => {
    const { account } = (await accounts.create('far away', 'free', system)).entitlements;
    const heard: number[] = [];
    const hearing = listener.hear(
      entitlementsChanged,
      async (payload) => void (payload.account === account && heard.push(payload.policyEpoch)),
    );
    await hearing.ready;
    await house.nats.server.kill();
    const changed = await accounts.setTier(account, 'team', system);
    expect(changed).toMatchObject({ changed: true, facts: { entitlements: { tier: 'team', policyEpoch: 2 } } });
    // First the row waits, then a try of the relay fails and says why.
    const told = /^\d events? waits?, the oldest for \d s; /;
    await until(async () => told.test((await detail('outbox')) ?? ''));
    expect(await detail('outbox')).toMatch(told);
    await house.nats.server.restart();
    await until(() => heard.includes(2), 15_000);
    hearing.close();
    expect(heard.sort()).toEqual([1, 2]);
    await until(async () => gateway.status().connected && (await service.health.report()).ready && (await detail('outbox')) === undefined);
  }, 30_000);

  it('are refused when a newer epoch is asked for than there is', async () => {
    const { id: account } = await newAccount();
    await gateway.call(calls.setSkillState, { authority, account, skill: 'briefing-memo', state: 'always' });
    const atLeast = (minEpoch: number) => listener.call(calls.getEntitlements, { account, minEpoch });
    await expect(atLeast(2)).resolves.toMatchObject({ skills: { 'briefing-memo': 'always' } });
    await expect(atLeast(3)).rejects.toMatchObject({ slug: 'epoch-not-reached', details: { policyEpoch: 2 } });
  });

  it.each([
    ['an account that is not there', () => gateway.call(calls.getAccount, { account: randomUUID() }), 'unknown-account'],
    ['a tier that is not there', () => gateway.call(calls.createAccount, { authority, name: 'x', tier: 'gold' }), 'unknown-tier'],
    [
      'an integration that is not there',
      async () => gateway.call(calls.setIntegration, { authority, account: (await newAccount()).id, integration: 'fax', connected: true }),
      'unknown-integration',
    ],
  ])('refuse %s', async (_, call, slug) => {
    await expect(call()).rejects.toMatchObject({ kind: 'refusal', slug });
  });
});

describe('the service', () => {
  it('has made the operator account, once for two replicas that boot at once', async () => {
    const replicas = await Promise.all([bootService(accountsService, house.env), bootService(accountsService, house.env)]);
    await Promise.all(replicas.map((replica) => replica.stop()));
    const principal = await gateway.call(calls.authenticate, { key: operatorKey });
    expect(principal).toMatchObject({ accountName: 'operator', tier: 'team', roles: ['operator', 'admin', 'user'] });
    const rows = await admin.query(`SELECT count(*)::int AS n FROM accounts WHERE name = 'operator'`);
    expect(rows).toEqual([{ n: 1 }]);
  });

  it('does not start with an operator key that anybody could guess, and names the variable', async () => {
    const boot = bootService(accountsService, { ...house.env, SKILLGATE_OPERATOR_KEY: 'hunter2' });
    await expect(boot).rejects.toThrow(/SKILLGATE_OPERATOR_KEY.*is no API key/s);
  });

  it('says in its health that the database is there', async () => {
    expect(await service.health.report()).toMatchObject({ ready: true, parts: { database: { status: 'up' } } });
  });
});
