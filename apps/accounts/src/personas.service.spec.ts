// Proves: personas and bulk edits of states are all or nothing, raise the epoch once with an event and an audit entry, and stay in their account.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import * as calls from '@skillgate/contracts/calls/accounts';
import { createPersona, getPersona, listPersonas, mostPersonas, retirePersona, updatePersona } from '@skillgate/contracts/calls/personas';
import type { Role } from '@skillgate/contracts/entitlements';
import { openAccountsHouse, type AccountsHouse } from './accounts-house.fixture.js';

let house: AccountsHouse;
beforeAll(async () => {
  house = await openAccountsHouse();
}, 60_000);
afterAll(() => house?.close());

async function newAccount() {
  const { id: account } = await house.gateway.call(calls.createAccount, { authority: house.operator, name: 'A', tier: 'pro' });
  const by = (...roles: Role[]) => house.ticket({ account, roles });
  const admin = await by('admin');
  return { account, admin, user: await by('user') };
}
const factsOf = (account: string) => house.gateway.call(calls.getAccount, { account });
const slugOf = (work: Promise<unknown>): Promise<string> => work.then(() => 'taken', ({ slug }: { slug: string }) => slug);
const auditOf = async (account: string, admin: string) =>
  (await house.gateway.call(calls.listAudit, { authority: admin, account })).entries.map(({ action, target, before, after }) => ({ action, target, before, after }));

describe('a persona', () => {
  it('is created, read, changed and retired, each change with an epoch and an audit entry without its words', async () => {
    const { account, admin, user } = await newAccount();
    const before = (await factsOf(account)).policyEpoch;
    const made = await house.gateway.call(createPersona, { authority: admin, account, slug: 'editor', name: 'Editor', instructions: 'Be brief, I said.', skills: { minutes: 'never' }, integrations: ['gmail'] });
    expect(made).toMatchObject({ slug: 'editor', revision: 1, model: null, retiredAt: null, policyEpoch: before + 1 });
    const changed = await house.gateway.call(updatePersona, { authority: admin, account, slug: 'editor', name: 'The editor', states: { minutes: null, memo: 'always' } });
    expect(changed).toMatchObject({ id: made.id, name: 'The editor', instructions: 'Be brief, I said.', skills: { memo: 'always' }, revision: 2, policyEpoch: before + 2 });
    expect(await house.gateway.call(getPersona, { ticket: user, slug: 'editor' })).toEqual(changed);
    const { personas } = await house.gateway.call(listPersonas, { authority: user, account });
    expect(personas).toEqual([expect.objectContaining({ slug: 'editor' })]);
    expect(personas[0]).not.toHaveProperty('instructions');
    await house.gateway.call(retirePersona, { authority: admin, account, slug: 'editor' });
    expect((await house.gateway.call(listPersonas, { authority: user, account })).personas).toEqual([]);
    expect(await slugOf(house.gateway.call(getPersona, { ticket: user, slug: 'editor' }))).toBe('unknown-persona');
    const audit = await auditOf(account, admin);
    expect(audit.slice(0, 3).map(({ action, target }) => `${action} ${target}`)).toEqual(['retire-persona editor', 'update-persona editor', 'create-persona editor']);
    expect(audit[1]).toMatchObject({ before: { name: 'Editor', revision: 1 }, after: { name: 'The editor', skills: { memo: 'always' }, revision: 2 } });
    expect(JSON.stringify(audit)).not.toContain('Be brief');
  });

  it('stands in the facts of its account until it is retired, without its words', async () => {
    const { account, admin } = await newAccount();
    const { id } = await house.gateway.call(createPersona, { authority: admin, account, slug: 'editor', name: 'Editor', instructions: 'Secret words.', skills: { a: 'always' } });
    const seen = await house.gateway.call(calls.setSkillState, { authority: admin, account, skill: 'x', state: 'never' });
    expect(seen.personas).toEqual([{ id, slug: 'editor', revision: 1, skills: { a: 'always' }, integrations: null }]);
    await house.gateway.call(retirePersona, { authority: admin, account, slug: 'editor' });
    expect((await house.gateway.call(calls.setSkillState, { authority: admin, account, skill: 'x', state: null })).personas).toBeUndefined();
  });

  it('keeps its slug for good, and stands as it was when a change says nothing new', async () => {
    const { account, admin } = await newAccount();
    const make = () => house.gateway.call(createPersona, { authority: admin, account, slug: 'editor', name: 'Editor' });
    const { policyEpoch } = await make();
    expect(await slugOf(make())).toBe('persona-taken');
    expect(await house.gateway.call(updatePersona, { authority: admin, account, slug: 'editor', name: 'Editor', states: { gone: null } })).toMatchObject({ revision: 1, policyEpoch });
    await house.gateway.call(retirePersona, { authority: admin, account, slug: 'editor' });
    expect(await slugOf(make())).toBe('persona-taken');
  });

  it.each<[string, object, string]>([
    ['an unknown integration', { integrations: ['gmail', 'carrier-pigeon'] }, 'unknown-integration'],
    ['a state that is none', { skills: { minutes: 'sometimes' } }, 'invalid-input'],
  ])('with %s is not made', async (_what, written, slug) => {
    const { account, admin } = await newAccount();
    const answer = await slugOf(house.gateway.call(createPersona, { authority: admin, account, slug: 'editor', name: 'E', ...written } as never));
    expect(answer).toBe(slug);
    expect((await house.gateway.call(listPersonas, { authority: admin, account })).personas).toEqual([]);
  });

  it('is an admin\'s to change and a user\'s to read, and nothing at all of another account', async () => {
    const [{ account, admin, user }, other] = [await newAccount(), await newAccount()];
    const create = (authority: string) => slugOf(house.gateway.call(createPersona, { authority, account, slug: `p-${randomUUID().slice(0, 8)}`, name: 'E' }));
    expect([await create(user), await create(other.admin), await create(admin)]).toEqual(['not-allowed', 'not-allowed', 'taken']);
    const list = (authority: string) => slugOf(house.gateway.call(listPersonas, { authority, account }));
    expect([await list(user), await list(other.user)]).toEqual(['taken', 'not-allowed']);
    await house.gateway.call(createPersona, { authority: admin, account, slug: 'editor', name: 'E' });
    expect(await slugOf(house.gateway.call(getPersona, { ticket: other.user, slug: 'editor' }))).toBe('unknown-persona');
    expect(await slugOf(house.gateway.call(createPersona, { authority: other.admin, account: other.account, slug: 'editor', name: 'Theirs' }))).toBe('taken');
  });

  it('of which there are many has its end, also for those who create at the same time', async () => {
    const { account, admin } = await newAccount();
    const make = (n: number) => slugOf(house.gateway.call(createPersona, { authority: admin, account, slug: `p-${n}`, name: 'E' }, { deadlineMs: 20_000 }));
    const answers = await Promise.all(Array.from({ length: mostPersonas + 3 }, (_, n) => make(n)));
    expect(answers.filter((slug) => slug === 'too-many-personas')).toHaveLength(3);
  }, 30_000);
});

describe('a bulk edit', () => {
  it('of states is one change: one epoch, one audit entry with what was before', async () => {
    const { account, admin } = await newAccount();
    await house.gateway.call(calls.setSkillState, { authority: admin, account, skill: 'a', state: 'never' });
    const { policyEpoch } = await house.gateway.call(calls.getAccount, { account });
    const facts = await house.gateway.call(calls.setSkillStates, { authority: admin, account, states: { a: null, b: 'always', c: 'never', d: null } });
    expect(facts).toMatchObject({ skills: { b: 'always', c: 'never' }, policyEpoch: policyEpoch + 1 });
    expect((await auditOf(account, admin))[0]).toEqual({ action: 'set-skill-states', target: account, before: { a: 'never', b: null, c: null }, after: { a: null, b: 'always', c: 'never' } });
    expect(await house.gateway.call(calls.setSkillStates, { authority: admin, account, states: { b: 'always' } })).toMatchObject({ policyEpoch: policyEpoch + 1 });
  });

  it('of locks leaves the locks of the other kind alone', async () => {
    const { account, admin } = await newAccount();
    const lock = (authority: string, by: 'operator' | 'admin', locks: Record<string, 'always' | 'never' | null>) => house.gateway.call(calls.setSkillLocks, { authority, account, by, locks });
    await lock(house.operator, 'operator', { a: 'never', b: 'always' });
    await lock(admin, 'admin', { a: 'always', c: 'never' });
    expect((await lock(admin, 'admin', { a: null, b: null })).locks).toEqual({ operator: { a: 'never', b: 'always' }, admin: { c: 'never' } });
    expect(await slugOf(lock(admin, 'operator', { a: null }))).toBe('not-allowed');
  });

  it('is not for users, and not for another account', async () => {
    const [{ account, user }, other] = [await newAccount(), await newAccount()];
    const edit = (authority: string) => slugOf(house.gateway.call(calls.setSkillStates, { authority, account, states: { a: 'never' } }));
    expect([await edit(user), await edit(other.admin)]).toEqual(['not-allowed', 'not-allowed']);
  });
});
