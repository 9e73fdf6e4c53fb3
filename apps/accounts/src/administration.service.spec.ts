import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import * as calls from '@skillgate/contracts/calls/accounts';
import type { Call, CallInput } from '@skillgate/contracts/define-call';
import type { Role } from '@skillgate/contracts/entitlements';
import { bootService } from '@skillgate/service-kit/boot';
import { makeSigner, newSigningKey } from '@skillgate/service-kit/signing';
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

/** An account with a ticket of its first user, who is its admin. */
async function account(tier = 'free') {
  const { id, admin } = await gateway.call(calls.createAccount, { authority: operator, name: 'Acme', tier });
  return { id, user: admin!, admin: await house.ticket({ account: id, user: admin, roles: ['admin', 'user'] }) };
}

const as = (of: string, roles: Role[], user: string = randomUUID()) => house.ticket({ account: of, user, roles });
const refused = (slug: string) => expect.objectContaining({ kind: 'refusal', slug });
const auditOf = async (of: { id: string; admin: string }) =>
  (await gateway.call(calls.listAudit, { authority: of.admin, account: of.id, limit: 200 })).entries;

describe('every change', () => {
  const changes: [string, Call, (of: { id: string; user: string }) => object][] = [
    ['create-account', calls.createAccount, () => ({ name: 'x', tier: 'free' })],
    ['list-accounts', calls.listAccounts, () => ({})],
    ['list-tiers', calls.listTiers, () => ({})],
    ['put-tier', calls.putTier, () => ({ name: 'stolen', capabilities: ['tools'], limits: {} })],
    ['delete-tier', calls.deleteTier, () => ({ name: 'team' })],
    ['set-tier', calls.setTier, ({ id }) => ({ account: id, tier: 'team' })],
    ['set-capabilities', calls.setCapabilities, ({ id }) => ({ account: id, capabilities: ['tools'] })],
    ['set-limits', calls.setLimits, ({ id }) => ({ account: id, limits: { turnsPerDay: null } })],
    ['set-integration', calls.setIntegration, ({ id }) => ({ account: id, integration: 'slack', connected: true })],
    ['set-skill-state', calls.setSkillState, ({ id }) => ({ account: id, skill: 'a', state: 'never' })],
    ['set-skill-lock', calls.setSkillLock, ({ id }) => ({ account: id, skill: 'a', by: 'admin', state: 'never' })],
    ['create-user', calls.createUser, ({ id }) => ({ account: id, name: 'Eve' })],
    ['list-users', calls.listUsers, ({ id }) => ({ account: id })],
    ['update-user', calls.updateUser, ({ id, user }) => ({ account: id, user, roles: ['user'] })],
    ['revoke-user', calls.revokeUser, ({ id, user }) => ({ account: id, user })],
    ['create-api-key', calls.createApiKey, ({ id }) => ({ account: id, name: 'k' })],
    ['list-api-keys', calls.listApiKeys, ({ id }) => ({ account: id })],
    ['revoke-api-key', calls.revokeApiKey, ({ id }) => ({ account: id, key: randomUUID() })],
    ['list-audit', calls.listAudit, ({ id }) => ({ account: id })],
  ];

  it.each(changes)('%s is refused to a user, to an admin of another account, and without a genuine ticket', async (_name, call, input) => {
    const [victim, stranger] = [await account(), await account()];
    const forged = makeSigner(await newSigningKey(), 'gateway');
    const soon = Math.floor(Date.now() / 1000) + 60;
    const claims = { account: victim.id, user: victim.user, roles: ['operator'], policyEpoch: 0, exp: soon };
    const forgedTicket = await forged.sign({ typ: 'ticket', ...claims });
    const before = await auditOf(victim);
    const ask = (authority: string) => gateway.call(call, { ...input(victim), authority } as CallInput<typeof call>);
    await expect(ask(await as(victim.id, ['user']))).rejects.toEqual(refused('not-allowed'));
    await expect(ask(stranger.admin)).rejects.toEqual(refused('not-allowed'));
    await expect(ask(forgedTicket)).rejects.toEqual(refused('ticket-invalid'));
    const ofATurn = await house.ticket({ account: victim.id, roles: ['operator'], chat: randomUUID(), turn: randomUUID() });
    await expect(ask(ofATurn)).rejects.toEqual(refused('authority-missing'));
    expect(await auditOf(victim)).toEqual(before);
  });

  // The calls that are older than authorities: to them it is optional by contract.
  const older = [calls.createAccount, calls.setTier, calls.setSkillState, calls.createApiKey, calls.revokeApiKey];

  it.each(older.map((call) => [call.subject, call] as const))(
    '%s is refused without an authority',
    async (subject, call) => {
      const { id } = await account();
      const input = changes.find(([name]) => subject.endsWith(`.${name}`))![2];
      await expect(gateway.call(call as Call, input({ id, user: id }) as never)).rejects.toEqual(refused('authority-missing'));
    },
  );

  it('answers an admin alike for an account that exists and one that does not', async () => {
    const [mine, theirs] = [await account(), await account()];
    const answer = (of: string) =>
      gateway.call(calls.listUsers, { authority: mine.admin, account: of }).catch((error) => ({ ...error.toWire(), correlationId: '' }));
    expect(await answer(theirs.id)).toEqual(await answer(randomUUID()));
  });
});

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
    const changed = await put('silver', ['tools', 'sandbox'], { ...limits, turnsPerDay: 20 });
    expect(changed).toMatchObject({ following: 7, behind: 0 });
    for (const each of accounts) {
      const facts = await gateway.call(calls.getAccount, { account: each.id });
      expect(facts).toMatchObject({ capabilities: ['sandbox', 'tools'], limits: { turnsPerDay: 20 }, policyEpoch: 2 });
      const [entry] = await auditOf(each);
      expect(entry).toMatchObject({
        ...{ action: 'follow-tier', target: 'silver', actor: { service: 'accounts' } },
        ...{ before: { capabilities: ['tools'] }, after: { capabilities: ['sandbox', 'tools'] } },
      });
    }
    expect(await put('silver', ['sandbox', 'tools'], { ...limits, turnsPerDay: 20 })).toMatchObject({ following: 0, behind: 0 });
  });

  it('that changed while a replica died are followed by the accounts once another one starts', async () => {
    await put('tin', []);
    const { id } = await account('tin');
    await house.admin.query(`UPDATE tiers SET capabilities = '{tools}' WHERE name = 'tin'`);
    const replica = await bootService(accountsService, house.env);
    const facts = () => gateway.call(calls.getAccount, { account: id });
    for (const end = Date.now() + 5_000; (await facts()).policyEpoch < 2 && Date.now() < end;) {
      await new Promise((go) => setTimeout(go, 20));
    }
    expect(await facts()).toMatchObject({ capabilities: ['tools'], policyEpoch: 2 });
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
    const { secret } = await gateway.call(calls.createApiKey, { authority: admin, account: id, name: 'k' });
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

describe('users', () => {
  it('are made, changed, listed and revoked by an admin, who finds it all in the audit log', async () => {
    const acme = await account();
    const common = { authority: acme.admin, account: acme.id };
    const ann = await gateway.call(calls.createUser, { ...common, name: 'Ann' });
    expect(ann).toMatchObject({ name: 'Ann', roles: ['user'], identities: [], revokedAt: null });
    await gateway.call(calls.updateUser, { ...common, user: ann.id, name: 'Anna', roles: ['user', 'admin'] });
    await gateway.call(calls.revokeUser, { ...common, user: ann.id });
    const { users } = await gateway.call(calls.listUsers, common);
    expect(users.map(({ name, roles, revokedAt }) => [name, roles, revokedAt !== null])).toEqual([
      ['admin', ['admin', 'user'], false],
      ['Anna', ['user', 'admin'], true],
    ]);
    const entries = (await auditOf(acme)).filter(({ target }) => target === ann.id);
    expect(entries.map(({ action, before, after }) => ({ action, before, after }))).toEqual([
      { action: 'revoke-user', before: { name: 'Anna', roles: ['user', 'admin'], revoked: false }, after: { revoked: true } },
      { action: 'update-user', before: { name: 'Ann', roles: ['user'] }, after: { name: 'Anna', roles: ['user', 'admin'] } },
      { action: 'create-user', before: null, after: { name: 'Ann', roles: ['user'] } },
    ]);
    for (const { actor, traceId } of entries) {
      expect(actor).toEqual({ account: acme.id, user: acme.user, roles: ['admin', 'user'] });
      expect(traceId).toMatch(/^[0-9a-f]{32}$/);
    }
    await expect(gateway.call(calls.updateUser, { ...common, user: ann.id, roles: ['user'] })).rejects.toEqual(refused('user-revoked'));
  });

  it('get no role that is not the giver\'s, and none above the account', async () => {
    const acme = await account();
    const make = (authority: string, roles: Role[]) => gateway.call(calls.createUser, { authority, account: acme.id, name: 'x', roles });
    await expect(make(acme.admin, ['operator'])).rejects.toEqual(refused('role-not-allowed'));
    await expect(make(operator, ['operator'])).rejects.toEqual(refused('role-not-allowed'));
  });

  it('leave an admin behind, unless an operator closes the account', async () => {
    const acme = await account();
    const common = { account: acme.id, user: acme.user };
    const demote = (authority: string) => gateway.call(calls.updateUser, { authority, ...common, roles: ['user'] });
    await expect(demote(acme.admin)).rejects.toEqual(refused('last-admin'));
    await expect(gateway.call(calls.revokeUser, { authority: acme.admin, ...common })).rejects.toEqual(refused('last-admin'));
    const second = await gateway.call(calls.createUser, { authority: acme.admin, account: acme.id, name: 'second', roles: ['admin'] });
    const byFirst = gateway.call(calls.revokeUser, { authority: acme.admin, account: acme.id, user: second.id });
    const bySecond = gateway.call(calls.revokeUser, { authority: acme.admin, ...common });
    const both = await Promise.allSettled([byFirst, bySecond]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const { users } = await gateway.call(calls.listUsers, { authority: operator, account: acme.id });
    const left = users.find(({ revokedAt }) => revokedAt === null)!;
    const last = gateway.call(calls.revokeUser, { authority: operator, account: acme.id, user: left.id });
    await expect(last).resolves.toMatchObject({ revoked: true });
  });

  it('of another account are as unknown as nobody', async () => {
    const [acme, other] = [await account(), await account()];
    const revoke = (user: string) =>
      gateway.call(calls.revokeUser, { authority: acme.admin, account: acme.id, user }).catch((error) => error.toWire().slug);
    expect(await revoke(other.user)).toBe('unknown-user');
    expect(await revoke(randomUUID())).toBe('unknown-user');
  });

  it('have one identity of an issuer in an account', async () => {
    const acme = await account();
    const identity = { issuer: 'https://login.example.org', subject: 'ann' };
    const make = () => gateway.call(calls.createUser, { authority: acme.admin, account: acme.id, name: 'Ann', identity });
    expect(await make()).toMatchObject({ identities: [identity] });
    await expect(make()).rejects.toEqual(refused('identity-taken'));
    const { users } = await gateway.call(calls.listUsers, { authority: acme.admin, account: acme.id });
    expect(users).toHaveLength(2);
  });

  it.each(['a\0b', 'half \ud83e'])('have no name that cannot be kept: %j', async (name) => {
    const { id, admin } = await account();
    const make = gateway.call(calls.createUser, { authority: admin, account: id, name });
    await expect(make).rejects.toMatchObject({ kind: 'breach', message: expect.stringContaining('name') });
  });
});

describe('keys', () => {
  it('do no more than their user, also when the user loses a role afterwards', async () => {
    const acme = await account();
    const common = { authority: acme.admin, account: acme.id };
    const ann = await gateway.call(calls.createUser, { ...common, name: 'Ann' });
    const make = (roles: Role[]) => gateway.call(calls.createApiKey, { ...common, user: ann.id, name: 'k', roles });
    await expect(make(['admin'])).rejects.toEqual(refused('role-not-allowed'));
    await gateway.call(calls.updateUser, { ...common, user: ann.id, roles: ['admin'] });
    const { secret } = await make(['admin', 'user']);
    expect((await gateway.call(calls.authenticate, { key: secret })).roles).toEqual(['admin', 'user']);
    await gateway.call(calls.updateUser, { ...common, user: ann.id, roles: ['user'] });
    expect((await gateway.call(calls.authenticate, { key: secret })).roles).toEqual(['user']);
  });

  it('end at their time', async () => {
    const acme = await account();
    const make = (expiresAt: string) => gateway.call(calls.createApiKey, { authority: acme.admin, account: acme.id, name: 'k', expiresAt });
    await expect(make(new Date(Date.now() - 1_000).toISOString())).rejects.toEqual(refused('expiry-past'));
    const { id, secret, expiresAt } = await make(new Date(Date.now() + 60_000).toISOString());
    const principal = await gateway.call(calls.authenticate, { key: secret });
    expect(principal.expiresAt).toBe(Math.floor(Date.parse(expiresAt!) / 1000));
    await house.admin.query(`UPDATE api_keys SET expires_at = now() - interval '1 second' WHERE id = $1`, [id]);
    await expect(gateway.call(calls.authenticate, { key: secret })).rejects.toEqual(refused('unknown-key'));
  });

  it('are listed without their secrets, all to the admin and the own ones to a user, who may revoke them', async () => {
    const acme = await account();
    const mine = await gateway.call(calls.createApiKey, { authority: acme.admin, account: acme.id, name: 'mine' });
    const other = await gateway.call(calls.createApiKey, { authority: acme.admin, account: acme.id, name: 'other' });
    const user = await as(acme.id, ['user'], mine.user);
    const all = await gateway.call(calls.listApiKeys, { authority: acme.admin, account: acme.id });
    expect(all.keys.map(({ name }) => name)).toEqual(['other', 'mine']);
    expect(JSON.stringify(all)).not.toContain(mine.secret.slice(12));
    const own = await gateway.call(calls.listApiKeys, { authority: user, account: acme.id, user: mine.user });
    expect(own.keys.map(({ id }) => id)).toEqual([mine.id]);
    const revoke = (key: string) => gateway.call(calls.revokeApiKey, { authority: user, account: acme.id, key });
    await expect(revoke(other.id)).rejects.toEqual(refused('not-allowed'));
    await expect(revoke(randomUUID())).rejects.toEqual(refused('not-allowed'));
    await expect(revoke(mine.id)).resolves.toMatchObject({ revoked: true });
  });
});

describe('the audit log', () => {
  it('names who, what, before and after, and the key or the subject that was shown', async () => {
    const acme = await account();
    const key: string = randomUUID();
    const authority = await house.ticket({ account: acme.id, user: acme.user, roles: ['admin'], key });
    await gateway.call(calls.setSkillLock, { authority, account: acme.id, skill: 'briefing-memo', by: 'admin', state: 'never' });
    await gateway.call(calls.setSkillLock, { authority, account: acme.id, skill: 'briefing-memo', by: 'admin', state: 'never' });
    const entries = (await auditOf(acme)).filter(({ action }) => action === 'set-admin-lock');
    expect(entries).toEqual([
      expect.objectContaining({
        ...{ service: 'accounts', account: acme.id, target: 'briefing-memo', before: null, after: 'never' },
        actor: { account: acme.id, user: acme.user, key, roles: ['admin'] },
      }),
    ]);
  });

  it('is read page by page, newest first, each entry once', async () => {
    const acme = await account();
    for (let n = 0; n < 5; n += 1) {
      await gateway.call(calls.setSkillState, { authority: acme.admin, account: acme.id, skill: `skill-${n}`, state: 'never' });
    }
    const seen: string[] = [];
    for (let before: string | undefined; ;) {
      const wanted = { account: acme.id, limit: 2, before, action: 'set-skill-state' };
      const page = await gateway.call(calls.listAudit, { authority: acme.admin, ...wanted });
      seen.push(...page.entries.map(({ target }) => target));
      before = page.entries.at(-1)?.cursor;
      if (!before) break;
    }
    expect(seen).toEqual([4, 3, 2, 1, 0].map((n) => `skill-${n}`));
  });

  it('has no entry for a change that was rolled back, and none of it holds a secret', async () => {
    const acme = await account();
    const before = (await auditOf(acme)).length;
    const failing = gateway.call(calls.setTier, { authority: operator, account: acme.id, tier: 'nowhere' });
    await expect(failing).rejects.toEqual(refused('unknown-tier'));
    expect(await auditOf(acme)).toHaveLength(before);
    const { secret } = await gateway.call(calls.createApiKey, { authority: acme.admin, account: acme.id, name: 'k' });
    const text = JSON.stringify(await house.admin.query('SELECT to_jsonb(l) FROM audit_log l'));
    expect(text).toContain(secret.slice(0, 12));
    expect(text).not.toContain(secret.slice(0, 16));
  });
});
