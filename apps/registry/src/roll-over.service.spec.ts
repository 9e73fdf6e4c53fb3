// Proves, on a real NATS server and database: versions side by side, names that two teams chose, approvals taken back, tools that are none.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { listAudit, withdrawApproval } from '@skillgate/contracts/calls/registry';
import { announceSubject } from '@skillgate/contracts/tool-call';
import type { GrantClaims } from '@skillgate/contracts/tokens';
import { announcedTool, entitled } from './spec-support/facts.js';
import { newTurn, startRegistry, until, type LiveRegistry } from './spec-support/live-registry.js';

const text = { type: 'string' };
const schema = (properties: Record<string, unknown>, required: string[] = []) => ({ type: 'object', properties, required, additionalProperties: false });
const tool = (inputSchema: Record<string, unknown>) => announcedTool({ inputSchema });
const first = tool(schema({ artifact: text }, ['artifact']));
const grown = tool(schema({ artifact: text, pages: text }, ['artifact']));
const broken = tool(schema({ file: text }, ['file']));

let registry: LiveRegistry;

beforeAll(async () => {
  registry = await startRegistry();
}, 60_000);

afterAll(() => registry?.stop());

beforeEach(async () => {
  registry.account.facts = entitled();
  for (const instance of ['docs-1', 'old', 'young']) registry.announce([], { instance, state: 'leaving' });
  registry.announceB([], { state: 'leaving' });
  await until(registry.executors, (seen) => seen.every(({ instances }) => instances === 0));
});

const openNow = async () => (await registry.resolve(newTurn())).tools;
const offered = async () => (await openNow()).find(({ name }) => name === 'docs_read_text')?.inputSchema;
const heard = (...digests: string[]) => until(registry.manifests, (seen) => digests.every((digest) => seen.some(({ schemaDigest }) => schemaDigest === digest)));
const pair = ({ name, schemaDigest }: typeof first) => ({ name, schemaDigest });

describe('a rolling update', () => {
  it('offers what both versions take, and the newer one once the old instances have left', async () => {
    registry.announce([first], { instance: 'old', version: '1.0.0' });
    await heard(first.schemaDigest);
    await registry.approve(first);
    registry.announce([grown], { instance: 'young', version: '2.0.0' });
    await heard(grown.schemaDigest);
    expect(await offered()).toEqual(first.inputSchema); // it may run before it is approved, for it takes the old arguments
    const [docs] = (await registry.executors()).filter(({ executor }) => executor === 'docs');
    expect(docs).toMatchObject({ instances: 2, versions: ['2.0.0', '1.0.0'] });
    expect(docs!.tools.find(({ schemaDigest }) => schemaDigest === grown.schemaDigest)).toMatchObject({
      state: 'changed',
      changes: [{ what: '/properties/pages', before: null, after: '{"type":"string"}' }],
    });

    await registry.approve(grown);
    expect(await offered()).toEqual(first.inputSchema);
    registry.announce([first], { instance: 'old', state: 'leaving' });
    await until(offered, (shown) => JSON.stringify(shown) === JSON.stringify(grown.inputSchema));
    expect(await offered()).toEqual(grown.inputSchema);
  });

  it('rolls back to what was approved before without a new approval', async () => {
    registry.announce([first], { instance: 'old' });
    await heard(first.schemaDigest);
    expect(await until(offered, (shown) => shown !== undefined)).toEqual(first.inputSchema);
  });

  it('that breaks its arguments holds the tool while both run, and says why', async () => {
    registry.announce([first], { instance: 'old' });
    registry.announce([broken], { instance: 'young' });
    await heard(first.schemaDigest, broken.schemaDigest);
    const withheld = async () => (await registry.resolve(newTurn())).withheld.find(({ name }) => name === 'docs/docs_read_text');
    expect(await withheld()).toMatchObject({ slug: 'not-approved' });
    await registry.approve(broken);
    expect(await withheld()).toMatchObject({ slug: 'versions-differ', message: expect.stringContaining('older one is gone') });
    registry.announce([first], { instance: 'old', state: 'leaving' });
    expect(await until(offered, (shown) => shown !== undefined)).toEqual(broken.inputSchema);
  });
});

describe('an approval that is taken back', () => {
  it('holds no more, whoever still announces it, and stands in the audit log', async () => {
    registry.announce([first], { instance: 'old' });
    await heard(first.schemaDigest);
    await registry.approve(first);
    expect(await offered()).toEqual(first.inputSchema);
    const [docs] = (await registry.executors()).filter(({ executor }) => executor === 'docs');
    const standing = docs!.approvals!.filter(({ name }) => name === first.name);
    expect(standing[0]).toMatchObject({ schemaDigest: first.schemaDigest, by: expect.stringContaining('user ') });

    const authority = await registry.authority();
    const tools = standing.map(({ name, schemaDigest }) => ({ name, schemaDigest }));
    expect(await registry.gateway.call(withdrawApproval, { authority, executor: 'docs', tools })).toEqual({ withdrawn: tools.map(({ name }) => name) });
    expect(await offered()).toBeUndefined();
    const { entries } = await registry.gateway.call(listAudit, { authority, limit: 1 });
    expect(entries[0]).toMatchObject({ action: 'withdraw-approval', target: 'docs', after: [] });
    expect((await registry.news()).at(-1)).toMatchObject({ what: 'manifest-approved', executor: 'docs', tools: [] });
  });

  it.each<[string, () => Promise<string>, string]>([
    ['an admin', () => registry.authority({ roles: ['admin'] }), 'not-allowed'],
    ['an operator who names what was never approved', () => registry.authority(), 'not-approved'],
  ])('is refused to %s', async (_who, authority, slug) => {
    const asked = registry.gateway.call(withdrawApproval, { authority: await authority(), executor: 'docs', tools: [{ name: 'docs_read_text', schemaDigest: 'a'.repeat(64) }] });
    await expect(asked).rejects.toMatchObject({ kind: 'refusal', slug });
  });
});

describe('two teams with a tool of one name', () => {
  const own = announcedTool({ name: 'create_event', description: 'Writes into the calendar of team A.' });
  const theirs = announcedTool({ name: 'create_event', description: 'Writes into the calendar of team B.' });

  it('are both callable, each under its name, with grants that their executors understand', async () => {
    registry.announce([own]);
    registry.announceB([theirs]);
    await heard(own.schemaDigest, theirs.schemaDigest);
    await registry.approveOf('docs', pair(own));
    const proposed = (await registry.manifests()).find(({ schemaDigest }) => schemaDigest === theirs.schemaDigest);
    expect(proposed).toMatchObject({ state: 'proposed', reason: expect.stringContaining('"docs"') });
    expect(await registry.approveOf('team-b', pair(theirs))).toEqual({ approved: ['create_event'], renamed: [{ name: 'create_event', shownAs: 'create_event_team_b' }] });

    const { tools, grants } = await registry.resolve(newTurn());
    expect(tools.map(({ name, ownName, executor, description }) => [name, ownName, executor, description])).toEqual([
      ['create_event', undefined, 'docs', own.description],
      ['create_event_team_b', 'create_event', 'team-b', theirs.description],
    ]);
    const claims = grants.map(({ grant }) => JSON.parse(Buffer.from(grant.split('.')[1]!, 'base64url').toString()) as GrantClaims);
    expect(claims.map(({ aud, tools: granted }) => [aud, Object.keys(granted)])).toEqual([
      ['docs', ['create_event']],
      ['team-b', ['create_event']],
    ]);
  });

  it('keep their names when the first is withdrawn, and when either changes', async () => {
    registry.announce([own]);
    registry.announceB([theirs]);
    await heard(own.schemaDigest, theirs.schemaDigest);
    await registry.gateway.call(withdrawApproval, { authority: await registry.authority(), executor: 'docs', tools: [pair(own)] });
    expect((await openNow()).map(({ name }) => name)).toEqual(['create_event_team_b']);
    const newer = announcedTool({ name: 'create_event', description: 'Writes into the calendar of team B, with guests.' });
    registry.announceB([newer]);
    await heard(newer.schemaDigest);
    expect((await registry.manifests()).find(({ schemaDigest }) => schemaDigest === newer.schemaDigest)).toMatchObject({ state: 'changed', shownAs: 'create_event_team_b' });
    expect(await registry.approveOf('team-b', pair(newer))).toMatchObject({ renamed: [{ shownAs: 'create_event_team_b' }] });
    expect((await openNow()).map(({ name }) => name)).toEqual(['create_event_team_b']);
  });
});

describe('what is no manifest', () => {
  it('is refused alone, with what its author can do', async () => {
    const long = { ...first, name: 'docs_long', description: 'x'.repeat(2_000) };
    const named = { ...first, name: 'API-post-search' };
    const strange = { ...first, name: 'docs_strange', effect: 'delete' };
    const said = { executor: 'docs', version: '1.0.0', instance: 'docs-1', state: 'serving', tools: [first, long, named, strange, 'nothing'] };
    await registry.publishRaw(announceSubject('docs'), said);
    const [docs] = await until(registry.executors, (seen) => seen.some(({ refused }) => refused !== undefined)).then((seen) => seen.filter(({ executor }) => executor === 'docs'));
    expect(docs!.tools.map(({ name }) => name)).toEqual(['docs_read_text']);
    expect(docs!.refused).toEqual([
      { name: 'docs_long', reason: expect.stringContaining('2000 characters') },
      { name: 'API-post-search', reason: expect.stringContaining('call it "api_post_search"') },
      { name: 'docs_strange', reason: expect.stringContaining('effect') },
      { name: 'number 5 of the announcement', reason: expect.stringContaining('expected object') },
    ]);
    await registry.approve(first);
    expect(await offered()).toEqual(first.inputSchema);
  });
});
