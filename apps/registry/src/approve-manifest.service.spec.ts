import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { approveManifest, listAudit, listProfiles } from '@skillgate/contracts/calls/registry';
import { announcedTool, entitled } from './spec-support/facts.js';
import { newTurn, startRegistry, until, type LiveRegistry } from './spec-support/live-registry.js';

const readText = announcedTool();
const writeText = announcedTool({ name: 'docs_write_text', effect: 'write', description: 'Writes a text file.' });
const sendMail = announcedTool({ name: 'docs_send_mail', effect: 'external', description: 'Sends a mail.' });
const property = (name: string) => ({ properties: { [name]: { type: 'string' } }, required: [name] });

let registry: LiveRegistry;

beforeAll(async () => {
  registry = await startRegistry();
}, 60_000);

afterAll(() => registry?.stop());

beforeEach(() => {
  registry.account.facts = entitled();
});

const openNow = async () => (await registry.resolve(newTurn())).tools.map((tool) => tool.name);
const withheldNow = async () => (await registry.resolve(newTurn())).withheld.map(({ name, slug }) => `${name}: ${slug}`);

describe('a tool of an executor', () => {
  it('changes nothing until an operator approves it', async () => {
    registry.announce([readText, sendMail]);
    await until(registry.states, (seen) => 'docs_send_mail' in seen);
    expect(await registry.states()).toEqual({ docs_read_text: 'proposed', docs_send_mail: 'proposed' });
    expect(await registry.resolve(newTurn())).toMatchObject({ tools: [], grants: [] });
    expect(await withheldNow()).toContain('docs/docs_read_text: not-approved');

    expect(await registry.approve(readText)).toEqual({ approved: ['docs_read_text'] });
    expect(await openNow()).toEqual(['docs_read_text']);
  });

  it('joins a profile that does not name it only by approval', async () => {
    await registry.serve(readText);
    const joining = announcedTool({ name: 'docs_count_words', description: 'Counts words.' });
    registry.announce([readText, joining]);
    await until(registry.states, (seen) => 'docs_count_words' in seen);
    expect(await openNow()).toEqual(['docs_read_text']);
    await registry.approve(joining);
    expect(await openNow()).toEqual(['docs_read_text', 'docs_count_words']);
  });

  it('is held as changed with what differs, and comes back with its approved schema', async () => {
    await registry.serve(readText, writeText);
    registry.announce([announcedTool({ effect: 'external' }), writeText]);
    await until(registry.states, (seen) => seen.docs_read_text === 'changed');
    const shown = (await registry.manifests()).find((tool) => tool.name === 'docs_read_text');
    expect(shown?.reason).toContain('effect read -> external');
    expect(await openNow()).toEqual(['docs_write_text']);
    expect(await withheldNow()).toContain('docs/docs_read_text: not-approved');

    registry.announce([readText, writeText]);
    await until(registry.states, (seen) => seen.docs_read_text === 'approved');
    expect(await openNow()).toEqual(['docs_read_text', 'docs_write_text']);
  });

  it('whose executor went away is withheld with the reason', async () => {
    await registry.serve(readText);
    registry.announce([readText], { state: 'leaving' });
    const away = await until(
      () => registry.resolve(newTurn()),
      (answer) => answer.tools.length === 0,
    );
    expect(away.grants).toEqual([]);
    expect(away.withheld).toContainEqual({
      name: 'docs/docs_read_text',
      slug: 'executor-away',
      message: expect.stringContaining('"docs"'),
    });
  });

  it('that is bad is quarantined alone and cannot be approved', async () => {
    const bad = announcedTool({ name: 'docs_find', inputSchema: { type: 'object', anyOf: [property('id'), property('email')] } });
    await registry.serve(readText);
    registry.announce([bad, readText]);
    const seen = await until(registry.states, (all) => 'docs_find' in all);
    expect(seen).toMatchObject({ docs_find: 'quarantined', docs_read_text: 'approved' });
    await expect(registry.approve(bad)).rejects.toMatchObject({ slug: 'tool-quarantined', message: expect.stringMatching(/anyOf.*[^.]\.$/s) });
    expect(await openNow()).toEqual(['docs_read_text']);
  });

  it('is shown to the model in a form that providers take, and approved in the form that its executor checks', async () => {
    const inputSchema = { ...property('id'), type: 'object', properties: { id: { type: 'string' }, rows: { type: 'array' } } };
    await registry.serve(announcedTool({ name: 'docs_fill', inputSchema: { ...inputSchema, anyOf: [{ required: ['rows'] }] } }));
    const { tools } = await registry.resolve(newTurn());
    expect(tools.find((tool) => tool.name === 'docs_fill')?.inputSchema).toEqual({
      type: 'object',
      properties: { id: { type: 'string' }, rows: { type: 'array', items: expect.anything() } },
      required: ['id'],
    });
  });
});

describe('an approval', () => {
  it('by a digest that is not announced now is refused, and then nothing of the list is approved', async () => {
    await registry.serve(readText);
    const fresh = announcedTool({ name: 'docs_count_pages', description: 'Counts pages.' });
    registry.announce([readText, fresh]);
    await until(registry.states, (seen) => 'docs_count_pages' in seen);
    const asked = registry.approve(fresh, { ...readText, schemaDigest: 'a'.repeat(64) });
    await expect(asked).rejects.toMatchObject({ kind: 'refusal', slug: 'manifest-changed', details: { now: [readText.schemaDigest] } });
    expect(await registry.states()).toMatchObject({ docs_count_pages: 'proposed' });
  });

  it('of a tool whose profile does not exist is refused', async () => {
    const odd = announcedTool({ name: 'docs_odd', profile: 'payroll' });
    registry.announce([readText, odd]);
    await until(registry.states, (seen) => 'docs_odd' in seen);
    await expect(registry.approve(odd)).rejects.toMatchObject({ kind: 'refusal', slug: 'unknown-profile' });
  });

  it('of an executor that nobody heard is refused', async () => {
    const asked = registry.gateway.call(approveManifest, { authority: await registry.authority(), executor: 'ghost', by: 'ops', tools: [] });
    await expect(asked).rejects.toMatchObject({ kind: 'refusal', slug: 'unknown-executor' });
  });
});

describe('who approves', () => {
  const asked = (authority?: string) => registry.gateway.call(approveManifest, { authority, executor: 'docs', by: 'root', tools: [] });
  beforeAll(() => registry.serve(readText));

  it.each<[string, () => Promise<string | undefined>, string]>([
    ['nobody', async () => undefined, 'authority-missing'],
    ['an admin of an account', () => registry.authority({ roles: ['admin', 'user'] }), 'not-allowed'],
    ['a ticket without roles', () => registry.authority({ roles: undefined }), 'not-allowed'],
    ["an operator's ticket of a turn", () => registry.authority({ turn: randomUUID(), chat: randomUUID() }), 'authority-missing'],
    ["an operator's ticket that has ended", () => registry.authority({ exp: 1_000 }), 'ticket-expired'],
    ['a ticket that somebody else signed', () => registry.receipts.sign({ ...newTurn().ticket, roles: ['operator'] }), 'ticket-invalid'],
  ])('is not %s', async (_who, ticket, slug) => {
    await expect(asked(await ticket())).rejects.toMatchObject({ kind: 'refusal', slug });
  });

  it('stands in the audit log with what stood before and after, as the ticket has it and not as the caller says', async () => {
    const [user, key] = [randomUUID(), randomUUID()];
    const fresh = announcedTool({ name: 'docs_merge', description: 'Merges files.' });
    registry.announce([readText, fresh]);
    await until(registry.states, (seen) => 'docs_merge' in seen);
    const tools = [{ name: fresh.name, schemaDigest: fresh.schemaDigest }];
    const authority = await registry.authority({ user, key });
    await registry.gateway.call(approveManifest, { authority, executor: 'docs', by: 'somebody else', tools });
    const { entries } = await registry.gateway.call(listAudit, { authority, limit: 1 });
    const named = (entry: unknown) => (entry as { name: string }[]).map(({ name }) => name);
    const [entry] = entries;
    expect(entry).toMatchObject({ service: 'registry', account: null, action: 'approve-manifest', target: 'docs', actor: { user, key, roles: ['operator'] } });
    expect(named(entry!.after).filter((name) => !named(entry!.before).includes(name))).toEqual(['docs_merge']);
    expect((await registry.news()).at(-1)).toMatchObject({ what: 'manifest-approved', by: `user ${user} with key ${key}` });
  });

  it('leaves no entry behind when nothing was approved', async () => {
    const authority = await registry.authority();
    const count = async () => (await registry.gateway.call(listAudit, { authority, limit: 200 })).entries.length;
    const before = await count();
    const tools = [{ name: 'docs_read_text', schemaDigest: 'a'.repeat(64) }];
    await expect(registry.gateway.call(approveManifest, { authority, executor: 'docs', by: 'ops', tools })).rejects.toMatchObject({ slug: 'manifest-changed' });
    expect(await count()).toBe(before);
  });

  it('is for operators to read', async () => {
    const admin = await registry.authority({ roles: ['admin'] });
    await expect(registry.gateway.call(listAudit, { authority: admin })).rejects.toMatchObject({ slug: 'not-allowed' });
  });
});

describe('the profiles', () => {
  it('are listed with the tokens of their approved tools, the unserved as such', async () => {
    await registry.serve(readText);
    const { profiles, allToolsTokens } = await registry.gateway.call(listProfiles, {});
    expect(profiles).toHaveLength(14);
    const docs = profiles.find((profile) => profile.name === 'docs');
    expect(docs).toMatchObject({ unserved: false, capability: 'tools', tokens: allToolsTokens });
    expect(allToolsTokens).toBeGreaterThan(20);
    expect(profiles.find((profile) => profile.name === 'slack')).toMatchObject({ unserved: true, tokens: 0 });
  });
});
