import { describe, expect, it } from '@jest/globals';
import type { Role } from '@skillgate/contracts/entitlements';
import { bearerKey } from './bearer.js';
import { mayGrant, mayUse, type Access } from './roles.js';

const holder = (...roles: Role[]) => ({ roles, account: 'mine' });

describe('who may use a route', () => {
  it.each<[string, Access, Role[], string | undefined, boolean]>([
    ['a user uses what is open to users', 'user', ['user'], undefined, true],
    ['a user does not administer the account', 'account-admin', ['user'], 'mine', false],
    ['an admin administers the own account', 'account-admin', ['user', 'admin'], 'mine', true],
    ['an admin does not administer another account', 'account-admin', ['admin'], 'theirs', false],
    ['an admin is no operator', 'operator', ['admin'], 'mine', false],
    ['an operator administers any account', 'account-admin', ['operator'], 'theirs', true],
    ['an operator operates', 'operator', ['operator'], undefined, true],
  ])('%s', (_sentence, access, roles, account, allowed) => {
    expect(mayUse(access, holder(...roles), account)).toBe(allowed);
  });
});

describe('who may put a role on a key', () => {
  it.each<[Role[], Role, boolean]>([
    [['operator'], 'operator', true],
    [['admin'], 'operator', false],
    [['admin'], 'admin', true],
    [['user'], 'user', false],
  ])('%j may give %s: %s', (roles, role, allowed) => {
    expect(mayGrant(holder(...roles), role)).toBe(allowed);
  });
});

describe('the Authorization header', () => {
  const key = `sk-sg-${'a'.repeat(43)}`;

  it.each([`Bearer ${key}`, `bearer ${key}`, `Bearer  ${key} `])('gives the key of %j', (header) => {
    expect(bearerKey(header)).toBe(key);
  });

  it.each([
    [undefined, 'missing-api-key'],
    ['', 'missing-api-key'],
    [`Basic ${key}`, 'invalid-api-key'],
    ['Bearer sk-other', 'invalid-api-key'],
    [`Bearer ${key}x`, 'invalid-api-key'],
  ])('is refused as %j', (header, slug) => {
    expect(() => bearerKey(header)).toThrow(expect.objectContaining({ slug }));
  });

  it('is never quoted in a refusal', () => {
    expect(() => bearerKey('Bearer sk-sg-secret')).toThrow(expect.objectContaining({ message: expect.not.stringContaining('secret') }));
  });
});
