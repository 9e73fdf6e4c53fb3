import { describe, expect, it } from '@jest/globals';
import type { Role } from '@skillgate/contracts/entitlements';
import { actions, boundedBy, may, mayGive, type Action, type Target } from './may.js';

const doer = (...roles: Role[]) => ({ account: 'mine', user: 'me', roles });
const [me, colleague, stranger] = [
  { account: 'mine', user: 'me' },
  { account: 'mine', user: 'colleague' },
  { account: 'theirs', user: 'stranger' },
];

describe('who may do what', () => {
  it.each<[string, Role[], Action, Target, boolean]>([
    ['a user has the own chats and files', ['user'], 'use-own', me, true],
    ['a user has them without naming himself', ['user'], 'use-own', {}, true],
    ['a user has none of a colleague', ['user'], 'use-own', colleague, false],
    ['an admin does not act as a colleague', ['admin'], 'use-own', colleague, false],
    ['an operator does not act as anybody', ['operator'], 'use-own', stranger, false],
    ['an admin reads the turns of a colleague', ['admin'], 'read-turns', colleague, true],
    ['a user reads the own turns', ['user'], 'read-turns', me, true],
    ['a user does not read those of a colleague', ['user'], 'read-turns', colleague, false],
    ['an admin reads none of another account', ['admin'], 'read-turns', stranger, false],
    ['a user sees the own account', ['user'], 'read-own-account', { account: 'mine' }, true],
    ['a user sees no other account', ['user'], 'read-own-account', { account: 'theirs' }, false],
    ['a user does not change settings of the account', ['user'], 'set-skill-state', { account: 'mine' }, false],
    ['an admin changes settings of the own account', ['admin'], 'set-skill-state', { account: 'mine' }, true],
    ['an admin changes none of another account', ['admin'], 'set-skill-state', { account: 'theirs' }, false],
    ['an admin lists all keys of the account', ['admin'], 'list-api-keys', { account: 'mine' }, true],
    ['a user does not list all keys', ['user'], 'list-api-keys', { account: 'mine' }, false],
    ['a user lists and revokes the own keys', ['user'], 'revoke-api-key', me, true],
    ['a user does not revoke those of a colleague', ['user'], 'revoke-api-key', colleague, false],
    ['an admin does not choose the tier', ['user', 'admin'], 'set-tier', { account: 'mine' }, false],
    ['an operator changes settings of any account', ['operator'], 'set-skill-state', { account: 'theirs' }, true],
    ['an operator chooses the tier', ['operator'], 'set-tier', { account: 'theirs' }, true],
    ['an admin connects an outside system with a credential', ['admin'], 'connect-with-secret', { account: 'mine' }, true],
    ['an admin marks none as connected without one', ['user', 'admin'], 'set-integration', { account: 'mine' }, false],
    ['an operator does', ['operator'], 'set-integration', { account: 'theirs' }, true],
    ['a user reads the personas of the account', ['user'], 'list-personas', { account: 'mine' }, true],
    ['a user makes none', ['user'], 'create-persona', { account: 'mine' }, false],
    ['an admin makes one', ['admin'], 'create-persona', { account: 'mine' }, true],
    ['a user sets skills of an own chat', ['user'], 'set-chat-skills', me, true],
    ['an admin sets none in the chat of a colleague', ['admin'], 'set-chat-skills', colleague, false],
    ['an admin reads the audit log of the own account', ['admin'], 'read-audit', { account: 'mine' }, true],
    ['an admin does not read that of the platform', ['admin'], 'read-platform-audit', {}, false],
  ])('%s', (_sentence, roles, action, target, allowed) => {
    const answer = may(doer(...roles), action, target);
    expect(answer === true).toBe(allowed);
    if (answer !== true) expect(answer).toEqual({ slug: 'not-allowed', message: expect.stringContaining('This needs') });
  });

  it.each(actions)('nobody without a role may %s', (action) => {
    expect(may(doer(), action, me)).not.toBe(true);
    expect(may(doer(), action)).not.toBe(true);
  });

  it('says no in the same words whether the account exists or not', () => {
    expect(may(doer('admin'), 'read-account', { account: 'theirs' })).toEqual(may(doer('admin'), 'read-account', { account: 'nowhere' }));
  });
});

describe('who may give or take a role', () => {
  it.each<[Role[], Role[], boolean]>([
    [['operator'], ['operator', 'admin', 'user'], true],
    [['admin'], ['admin', 'user'], true],
    [['admin'], ['user', 'operator'], false],
    [['user'], ['user'], false],
    [[], ['user'], false],
    [['user'], [], true],
  ])('%j may give %j: %s', (roles, given, allowed) => {
    expect(mayGive(doer(...roles), given) === true).toBe(allowed);
  });
});

describe('the roles of a key', () => {
  it.each<[Role[], Role[], Role[]]>([
    [['user', 'admin'], ['user', 'admin'], ['user', 'admin']],
    [['user', 'admin'], ['user'], ['user']],
    [['admin'], ['user'], []],
    [['user'], ['admin'], ['user']],
    [['operator', 'admin'], ['admin'], ['admin']],
  ])('%j on a user with %j are %j', (key, user, counted) => {
    expect(boundedBy(key, user)).toEqual(counted);
  });
});
