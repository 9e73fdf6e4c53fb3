// Proves: what operator and admins say of profiles reaches the next decision of every replica, the audit log, and no other account.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { listAudit, listProfiles, listTools, previewTools, setProfilePolicy, tightenProfilePolicy } from '@skillgate/contracts/calls/registry';
import type { Role } from '@skillgate/contracts/entitlements';
import { announcedTool, entitled } from './spec-support/facts.js';
import { newTurn, startRegistry, until, type LiveRegistry, type Turn } from './spec-support/live-registry.js';

const readText = announcedTool();
const writeText = announcedTool({ name: 'docs_write_text', effect: 'write', description: 'Writes a text file.' });

let registry: LiveRegistry;
let turn: Turn;

beforeAll(async () => {
  registry = await startRegistry();
  await registry.serve(readText, writeText);
}, 60_000);
afterAll(() => registry?.stop());

const operator = async (policy: object, profile = 'docs') =>
  registry.gateway.call(setProfilePolicy, { authority: await registry.authority(), profile, policy });
const ticketOf = (roles: Role[], account: string) => registry.authority({ roles, account });
const admin = async (policy: object, { account }: { account: string } = turn.ticket, profile = 'docs') =>
  registry.gateway.call(tightenProfilePolicy, { authority: await ticketOf(['admin'], account), account, profile, policy });

beforeEach(async () => {
  turn = newTurn();
  Object.assign(registry.account, { facts: entitled(), gone: false });
  await operator({ read: null, write: null, external: null });
});

const openOf = async (one: Turn) => (await registry.resolve(one)).tools.map(({ name }) => name);

describe("an operator's policy", () => {
  it('shuts the tools of an effect for every account, with the reason, and opens them again', async () => {
    expect(await openOf(turn)).toEqual(['docs_read_text', 'docs_write_text']);
    expect(await operator({ write: 'deny' })).toMatchObject({ profile: 'docs', said: { write: 'deny' }, policy: { write: { policy: 'deny', layer: 'operator' }, read: { policy: 'allow', layer: 'profile' } } });
    const { tools, withheld, grants } = await registry.resolve(turn);
    expect(tools.map(({ name, policy }) => [name, policy])).toEqual([['docs_read_text', 'allow']]);
    expect(withheld).toContainEqual({ name: 'docs/docs_write_text', slug: 'policy-denies', policy: 'deny', message: expect.stringContaining('the operator') });
    expect(grants).toHaveLength(1);
    await operator({ write: null });
    expect(await openOf(turn)).toEqual(['docs_read_text', 'docs_write_text']);
  });

  it('of confirm opens a tool, offers its calls for approval, and keeps it out of every grant', async () => {
    await operator({ read: 'confirm', write: 'confirm' });
    const answer = await registry.resolve(turn);
    expect(answer).toMatchObject({ grants: [], profiles: [{ name: 'docs' }] });
    expect(answer.tools.map(({ name, policy, offer }) => [name, policy, typeof offer])).toEqual([
      ['docs_read_text', 'confirm', 'string'],
      ['docs_write_text', 'confirm', 'string'],
    ]);
  });

  it('reaches another replica within a second or so', async () => {
    const replica = await registry.addReplica();
    const both = async () => Promise.all(Array.from({ length: 12 }, () => openOf(turn))); // of one account: what is remembered of it counts
    const allAre = (names: string[]) => (answers: string[][]) => answers.every((answer) => answer.join() === names.join());
    await until(both, (answers) => {
      registry.announce([readText, writeText]); // a fresh replica has heard of nobody
      return allAre(['docs_read_text', 'docs_write_text'])(answers);
    });
    await operator({ write: 'deny' });
    expect(await until(both, allAre(['docs_read_text']))).toEqual(Array.from({ length: 12 }, () => ['docs_read_text']));
    registry.replicas.pop();
    await replica.stop();
  }, 30_000);

  it('for a profile that does not exist is refused', async () => {
    await expect(operator({ write: 'deny' }, 'payroll')).rejects.toMatchObject({ kind: 'refusal', slug: 'unknown-profile' });
  });
});

describe("an admin's policy", () => {
  it('binds the own account and no other', async () => {
    await admin({ write: 'deny' });
    expect(await openOf(turn)).toEqual(['docs_read_text']);
    expect(await openOf(newTurn())).toEqual(['docs_read_text', 'docs_write_text']);
  });

  it('that is looser than the house is refused, and nothing of it is written', async () => {
    await operator({ write: 'deny' });
    const refused = admin({ read: 'deny', write: 'confirm' });
    await expect(refused).rejects.toMatchObject({ kind: 'refusal', slug: 'policy-loosens', message: expect.stringContaining('write is "deny"') });
    expect(await openOf(turn)).toEqual(['docs_read_text']);
  });

  it('is overtaken by a stricter house, stands again when the house loosens, and can be taken back', async () => {
    await admin({ write: 'confirm' });
    await operator({ write: 'deny' });
    const standing = async () => {
      const { tools, withheld } = await registry.resolve(turn);
      return [...tools.map(({ name, policy }) => ({ name, word: policy })), ...withheld.map(({ name, slug }) => ({ name, word: slug }))].find(({ name }) => name.endsWith('write_text'))?.word;
    };
    expect(await standing()).toBe('policy-denies');
    // Another effect may be tightened though an older word is looser than the house by now.
    await admin({ external: 'deny' });
    await operator({ write: null });
    expect(await standing()).toBe('confirm');
    expect(await admin({ write: null })).toMatchObject({ said: { external: 'deny' }, policy: { write: { policy: 'allow' } } });
    expect(await standing()).toBe('allow');
  });

  it('and a preview are refused for an account that is not there', async () => {
    registry.account.gone = true;
    const [authority, account] = [await registry.authority(), randomUUID()];
    const asked = registry.gateway.call(tightenProfilePolicy, { authority, account, profile: 'docs', policy: { read: 'deny' } });
    await expect(asked).rejects.toMatchObject({ kind: 'refusal', slug: 'unknown-account' });
    const previewed = registry.gateway.call(previewTools, { ticket: authority, account, requires: {} });
    await expect(previewed).rejects.toMatchObject({ kind: 'refusal', slug: 'unknown-account' });
  });
});

describe('who sets a policy', () => {
  const house = (authority?: string) => registry.gateway.call(setProfilePolicy, { authority, profile: 'docs', policy: { read: 'deny' } });
  const own = (authority?: string) => registry.gateway.call(tightenProfilePolicy, { authority, account: turn.ticket.account, profile: 'docs', policy: { read: 'deny' } });

  it.each<[string, typeof house, () => Promise<string | undefined>, string]>([
    ['for the house, is not an admin', house, () => ticketOf(['admin'], turn.ticket.account), 'not-allowed'],
    ['for the house, is not nobody', house, async () => undefined, 'authority-missing'],
    ['for an account, is not its user', own, () => ticketOf(['user'], turn.ticket.account), 'not-allowed'],
    ['for an account, is not the admin of another', own, () => ticketOf(['admin'], randomUUID()), 'not-allowed'],
    ['for an account, is not a ticket of a turn', own, () => registry.tickets.sign({ ...turn.ticket, roles: ['admin'] }), 'authority-missing'],
  ])('%s', async (_who, set, ticket, slug) => {
    await expect(set(await ticket())).rejects.toMatchObject({ kind: 'refusal', slug });
    expect(await openOf(turn)).toEqual(['docs_read_text', 'docs_write_text']);
  });

  it('stands in the audit log of the platform, or of the account, with before and after', async () => {
    await operator({ write: 'confirm' });
    await admin({ write: 'deny' });
    const authority = await registry.authority();
    const { account } = turn.ticket;
    const [platform] = (await registry.gateway.call(listAudit, { authority, limit: 1 })).entries;
    expect(platform).toMatchObject({ account: null, action: 'set-profile-policy', target: 'docs', before: {}, after: { write: 'confirm' }, actor: { roles: ['operator'] } });
    const { entries } = await registry.gateway.call(listAudit, { authority, account });
    expect(entries).toMatchObject([{ account, action: 'tighten-profile-policy', target: 'docs', before: {}, after: { write: 'deny' }, actor: { roles: ['admin'] } }]);
  });
});

describe('a preview', () => {
  const preview = async (requires: object, more: object = {}, ticket = registry.tickets.sign(turn.ticket)) =>
    registry.gateway.call(previewTools, { ticket: await ticket, requires, ...more });

  it('says what an activation would open and what it would withhold, with the tokens, and grants nothing', async () => {
    await admin({ write: 'deny' });
    const { tools, withheld, policyEpoch } = await registry.resolve(turn);
    const seen = await preview({ profiles: ['docs'] });
    expect(seen).toMatchObject({ loadable: true, profiles: ['docs'], policyEpoch, withheld });
    expect(seen.tools.map(({ name }) => name)).toEqual(tools.map(({ name }) => name));
    expect(seen.tokens).toBeGreaterThan(10);
    expect(JSON.stringify(seen)).not.toContain('grant');
  });

  it.each<[string, object, boolean]>([
    ['that needs no tool is loadable', {}, true],
    ['of which nothing would open is not', { profiles: ['slack'] }, false],
    ['that names a tool nobody knows is not', { tools: ['tea_make'] }, false],
    ['of which something would open is', { profiles: ['slack', 'docs'] }, true],
    ['whose integration is missing is not', { profiles: ['docs'], integrations: ['slack'] }, false],
  ])('of a skill %s', async (_sentence, requires, loadable) => {
    expect(await preview(requires)).toMatchObject({ loadable });
  });

  it('heeds a lock on the skill', async () => {
    registry.account.facts = entitled({ locks: { operator: {}, admin: { memo: 'never' } } });
    const { loadable, withheld } = await preview({ profiles: ['docs'] }, { skill: 'memo' });
    expect([loadable, withheld.map(({ slug }) => slug)]).toEqual([false, ['skill-never']]);
  });

  it('of another account is for operators', async () => {
    const other = newTurn().ticket.account;
    await admin({ read: 'deny', write: 'deny' }, { account: other });
    const asking = (roles: Role[]) => preview({ profiles: ['docs'] }, { account: other }, ticketOf(roles, turn.ticket.account));
    expect(await asking(['operator'])).toMatchObject({ loadable: false });
    await expect(asking(['admin'])).rejects.toMatchObject({ kind: 'refusal', slug: 'not-allowed' });
    await expect(preview({}, { account: other })).rejects.toMatchObject({ kind: 'refusal', slug: 'authority-missing' });
  });
});

describe('the lists', () => {
  it('have the tokens and the policy of each tool, and what is not approved without them', async () => {
    await admin({ write: 'deny' });
    const joining = announcedTool({ name: 'docs_count_words', description: 'Counts words.' });
    registry.announce([readText, writeText, joining]);
    await until(registry.states, (seen) => 'docs_count_words' in seen);
    await registry.approve(joining);
    const { tools, tokens } = await registry.gateway.call(listTools, { authority: await ticketOf(['user'], turn.ticket.account), profile: 'docs' });
    const line = (name: string) => tools.find((tool) => tool.name === name);
    expect(line('docs_read_text')).toMatchObject({ standing: 'serving', effect: 'read', policy: 'allow', executor: 'docs', integrations: [] });
    expect(line('docs_write_text')).toMatchObject({ standing: 'serving', policy: 'deny' });
    expect(line('docs_count_words')).toMatchObject({ standing: 'serving', profile: 'docs' });
    expect(line('docs_generate_docx')).toMatchObject({ standing: 'unserved', tokens: null, policy: null, executor: null });
    expect(tokens).toBe(tools.reduce((sum, tool) => sum + (tool.tokens ?? 0), 0));
    expect(line('docs_read_text')!.tokens).toBeGreaterThan(10);
  });

  it('say of each profile its owner, integrations, mark and policies: those of the house, or of who asks', async () => {
    await admin({ write: 'deny' });
    const docsOf = async (input: object) => (await registry.gateway.call(listProfiles, input)).profiles.find(({ name }) => name === 'docs');
    expect(await docsOf({})).toMatchObject({ owner: 'docs', markedUnserved: false, integrations: [], policy: { write: { policy: 'allow', layer: 'profile' } } });
    expect(await docsOf({ authority: await ticketOf(['user'], turn.ticket.account) })).toMatchObject({ policy: { write: { policy: 'deny', layer: 'admin' } } });
    const { profiles } = await registry.gateway.call(listProfiles, {});
    expect(profiles.find(({ name }) => name === 'google')).toMatchObject({ markedUnserved: true, integrations: ['gmail', 'drive', 'calendar'] });
  });

  it('of the tools of no profile is refused', async () => {
    await expect(registry.gateway.call(listTools, { profile: 'payroll' })).rejects.toMatchObject({ slug: 'unknown-profile' });
  });
});
