import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import * as calls from '@skillgate/contracts/calls/accounts';
import { createApiKey, listApiKeys, revokeApiKey } from '@skillgate/contracts/calls/api-keys';
import { createUser, listUsers, revokeUser, updateUser } from '@skillgate/contracts/calls/users';
import type { Role } from '@skillgate/contracts/entitlements';
import type { Wire } from '@skillgate/wire/wire';
import { openAccountsHouse, type AccountsHouse } from './accounts-house.fixture.js';

let house: AccountsHouse;
let gateway: Wire;
let operator: string;

beforeAll(async () => {
  house = await openAccountsHouse();
  ({ gateway, operator } = house);
}, 60_000);

afterAll(() => house?.close());

const account = (tier?: string) => house.account(tier);
const as = (of: string, roles: Role[], user: string = randomUUID()) => house.ticket({ account: of, user, roles });
const refused = (slug: string) => expect.objectContaining({ kind: 'refusal', slug });
const auditOf = (of: { id: string; admin: string }) => house.auditOf(of);

describe('users', () => {
  it('are made, changed, listed and revoked by an admin, who finds it all in the audit log', async () => {
    const acme = await account();
    const common = { authority: acme.admin, account: acme.id };
    const ann = await gateway.call(createUser, { ...common, name: 'Ann', roles: ['user', 'user'] });
    expect(ann).toMatchObject({ name: 'Ann', roles: ['user'], identities: [], revokedAt: null });
    await gateway.call(updateUser, { ...common, user: ann.id, name: 'Anna', roles: ['user', 'admin'] });
    await gateway.call(revokeUser, { ...common, user: ann.id });
    const { users } = await gateway.call(listUsers, common);
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
    await expect(gateway.call(updateUser, { ...common, user: ann.id, roles: ['user'] })).rejects.toEqual(refused('user-revoked'));
  });

  it('get no role that is not the giver\'s, and none above the account', async () => {
    const acme = await account();
    const make = (authority: string, roles: Role[]) => gateway.call(createUser, { authority, account: acme.id, name: 'x', roles });
    await expect(make(acme.admin, ['operator'])).rejects.toEqual(refused('role-not-allowed'));
    await expect(make(operator, ['operator'])).rejects.toEqual(refused('role-not-allowed'));
  });

  it('leave an admin behind, unless an operator closes the account', async () => {
    const acme = await account();
    const common = { account: acme.id, user: acme.user };
    const demote = (authority: string) => gateway.call(updateUser, { authority, ...common, roles: ['user'] });
    await expect(demote(acme.admin)).rejects.toEqual(refused('last-admin'));
    await expect(gateway.call(revokeUser, { authority: acme.admin, ...common })).rejects.toEqual(refused('last-admin'));
    const second = await gateway.call(createUser, { authority: acme.admin, account: acme.id, name: 'second', roles: ['admin'] });
    const byFirst = gateway.call(revokeUser, { authority: acme.admin, account: acme.id, user: second.id });
    const bySecond = gateway.call(revokeUser, { authority: acme.admin, ...common });
    const both = await Promise.allSettled([byFirst, bySecond]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const { users } = await gateway.call(listUsers, { authority: operator, account: acme.id });
    const left = users.find(({ revokedAt }) => revokedAt === null)!;
    const last = gateway.call(revokeUser, { authority: operator, account: acme.id, user: left.id });
    await expect(last).resolves.toMatchObject({ revoked: true });
  });

  it('of another account are as unknown as nobody', async () => {
    const [acme, other] = [await account(), await account()];
    const revoke = (user: string) =>
      gateway.call(revokeUser, { authority: acme.admin, account: acme.id, user }).catch((error) => error.toWire().slug);
    expect(await revoke(other.user)).toBe('unknown-user');
    expect(await revoke(randomUUID())).toBe('unknown-user');
  });

  it('have one identity of an issuer in an account', async () => {
    const acme = await account();
    const identity = { issuer: 'https://login.example.org', subject: 'ann' };
    const make = () => gateway.call(createUser, { authority: acme.admin, account: acme.id, name: 'Ann', identity });
    expect(await make()).toMatchObject({ identities: [identity] });
    await expect(make()).rejects.toEqual(refused('identity-taken'));
    const { users } = await gateway.call(listUsers, { authority: acme.admin, account: acme.id });
    expect(users).toHaveLength(2);
  });

  it.each(['a\0b', 'half \ud83e'])('have no name that cannot be kept: %j', async (name) => {
    const { id, admin } = await account();
    const make = gateway.call(createUser, { authority: admin, account: id, name });
    await expect(make).rejects.toMatchObject({ kind: 'breach', message: expect.stringContaining('name') });
  });
});

describe('keys', () => {
  it('do no more than their user, also when the user loses a role afterwards', async () => {
    const acme = await account();
    const common = { authority: acme.admin, account: acme.id };
    const ann = await gateway.call(createUser, { ...common, name: 'Ann' });
    const make = (roles: Role[]) => gateway.call(createApiKey, { ...common, user: ann.id, name: 'k', roles });
    await expect(make(['admin'])).rejects.toEqual(refused('role-not-allowed'));
    await gateway.call(updateUser, { ...common, user: ann.id, roles: ['admin'] });
    const { secret } = await make(['admin', 'user', 'admin']);
    expect((await gateway.call(calls.authenticate, { key: secret })).roles).toEqual(['admin', 'user']);
    await gateway.call(updateUser, { ...common, user: ann.id, roles: ['user'] });
    expect((await gateway.call(calls.authenticate, { key: secret })).roles).toEqual(['user']);
  });

  it('end at their time', async () => {
    const acme = await account();
    const make = (expiresAt: string) => gateway.call(createApiKey, { authority: acme.admin, account: acme.id, name: 'k', expiresAt });
    await expect(make(new Date(Date.now() - 1_000).toISOString())).rejects.toEqual(refused('expiry-past'));
    const { id, secret, expiresAt } = await make(new Date(Date.now() + 60_000).toISOString());
    const principal = await gateway.call(calls.authenticate, { key: secret });
    expect(principal.expiresAt).toBe(Math.floor(Date.parse(expiresAt!) / 1000));
    await house.admin.query(`UPDATE api_keys SET expires_at = now() - interval '1 second' WHERE id = $1`, [id]);
    await expect(gateway.call(calls.authenticate, { key: secret })).rejects.toEqual(refused('unknown-key'));
  });

  it('are listed without their secrets, all to the admin and the own ones to a user, who may revoke them', async () => {
    const acme = await account();
    const mine = await gateway.call(createApiKey, { authority: acme.admin, account: acme.id, name: 'mine' });
    const other = await gateway.call(createApiKey, { authority: acme.admin, account: acme.id, name: 'other' });
    const user = await as(acme.id, ['user'], mine.user);
    const all = await gateway.call(listApiKeys, { authority: acme.admin, account: acme.id });
    expect(all.keys.map(({ name }) => name)).toEqual(['other', 'mine']);
    expect(JSON.stringify(all)).not.toContain(mine.secret.slice(12));
    const own = await gateway.call(listApiKeys, { authority: user, account: acme.id, user: mine.user });
    expect(own.keys.map(({ id }) => id)).toEqual([mine.id]);
    const revoke = (key: string) => gateway.call(revokeApiKey, { authority: user, account: acme.id, key });
    await expect(revoke(other.id)).rejects.toEqual(refused('not-allowed'));
    await expect(revoke(randomUUID())).rejects.toEqual(refused('not-allowed'));
    await expect(revoke(mine.id)).resolves.toMatchObject({ revoked: true });
  });
});
