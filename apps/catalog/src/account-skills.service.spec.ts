// Proves: an account's users write skills of their own, from draft to published; errors stop them, names that are taken too; and nothing of it is seen
// or changed from another account.
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { readPiece, statArtifact } from '@skillgate/contracts/calls/artifacts';
import { listAudit } from '@skillgate/contracts/calls/catalog';
import { listProfiles } from '@skillgate/contracts/calls/registry';
import * as calls from '@skillgate/contracts/calls/skill-versions';
import type { CallOutput } from '@skillgate/contracts/define-call';
import type { Entitlements, Role } from '@skillgate/contracts/entitlements';
import { openStore } from '@skillgate/store/data-source';
import { inAccount } from '@skillgate/store/account-scope';
import { CatalogWorld, facts, slugs, type CatalogHouse } from './catalog-world.fixture.js';
import { skillMd, type SkillText } from './skills.fixture.js';
import { catalogStore } from './store-definition.js';

let world: CatalogWorld;
let house: CatalogHouse;
const uploads = new Map<string, Buffer>();

beforeAll(async () => {
  world = await CatalogWorld.open();
  const artifacts = await world.nats.connect('artifacts');
  await artifacts.serve(statArtifact, async ({ id }) => ({ id, name: 'p', mime: 'application/json', bytes: uploads.get(id)!.length, sha256: 'a'.repeat(64), pieces: 1 })).ready;
  await artifacts.serve(readPiece, async ({ id }) => ({ base64: uploads.get(id)!.toString('base64') })).ready;
  const docs = { name: 'docs', title: 'Documents', capability: null, tools: ['docs_read_text'], unserved: false, tokens: 10 };
  await world.wires.registry.serve(listProfiles, async () => ({ profiles: [docs], allToolsTokens: 10, served: [] })).ready;
}, 60_000);
afterEach(() => world.closeHouses());
afterAll(() => world?.nats.close());

const text = (word: string, more: SkillText = {}): SkillText => ({ description: `Write ${word} from notes. Use for ${word} and nothing else.`, body: `# Task\n\n${`Write the ${word} well. `.repeat(20)}`, ...more });

interface Person {
  entitlements: Entitlements;
  token(): Promise<string>;
}
const person = async (entitlements: Entitlements, ...roles: Role[]): Promise<Person> => {
  const user = randomUUID();
  await world.ticketOf(entitlements); // makes accounts know it
  const { account, policyEpoch } = entitlements;
  return { entitlements, token: () => world.gateway.sign({ typ: 'ticket', account, user, roles, overrides: {}, policyEpoch, exp: Math.floor(Date.now() / 1000) + 120 }) };
};
const authors = (more: Partial<Entitlements> = {}) => facts({ capabilities: ['tools', 'skill-authoring'], ...more });
const save = async (who: Person, slug: string, more: SkillText = {}, files: Record<string, string> = {}): Promise<CallOutput<typeof calls.saveAccountSkill>> => {
  const id = `art_${randomUUID().replaceAll('-', '')}`;
  const all = { [`${slug}/SKILL.md`]: skillMd(slug, text(slug, more)), ...files };
  uploads.set(id, Buffer.from(JSON.stringify({ files: Object.entries(all).map(([path, content]) => ({ path, text: content })) })));
  return world.wires.gateway.call(calls.saveAccountSkill, { authority: await who.token(), artifact: id });
};
const submit = async (who: Person, slug: string) => world.wires.gateway.call(calls.submitAccountSkill, { authority: await who.token(), slug });
const review = async (who: Person, slug: string, verdict: 'publish' | 'return' = 'publish', note?: string) => world.wires.gateway.call(calls.reviewAccountSkill, { authority: await who.token(), slug, verdict, ...(note && { note }) });
const list = async (who: Person) => (await world.wires.gateway.call(calls.listAccountSkills, { authority: await who.token() })).skills;
const begin = async (skills: Record<string, SkillText> = {}) => {
  house = await world.house(skills);
  await house.start();
};

describe('a skill of an account', () => {
  it('goes from draft to published by two people, and to nobody outside', async () => {
    await begin();
    const mine = authors();
    const [user, admin, stranger] = [await person(mine, 'user'), await person(mine, 'user', 'admin'), await person(authors(), 'user', 'admin')];
    expect(await save(user, 'tides')).toMatchObject({ status: 'draft', current: false });
    await expect(review(admin, 'tides')).rejects.toMatchObject({ slug: 'not-in-review' });
    expect(await submit(user, 'tides')).toMatchObject({ status: 'review' });
    await expect(save(user, 'tides')).rejects.toMatchObject({ slug: 'in-review' });
    expect(await review(admin, 'tides', 'return', 'Say which port.')).toMatchObject({ status: 'draft', note: 'Say which port.' });
    await save(user, 'tides', { body: `# Task\n\n${'Write the tides of the port. '.repeat(20)}` });
    await submit(user, 'tides');
    await expect(review(user, 'tides')).rejects.toMatchObject({ slug: 'not-allowed' });
    expect(await review(admin, 'tides')).toMatchObject({ status: 'published', current: true });

    const { entries } = await world.prepare(await world.ticketOf(mine));
    expect(entries).toMatchObject([{ slug: 'tides', source: 'account' }]);
    expect(await world.load(await world.ticketOf(mine), 'tides')).toMatchObject({ source: 'account', instructions: expect.stringContaining('the port') });
    const theirs = await world.ticketOf(stranger.entitlements);
    expect(slugs((await world.prepare(theirs)).entries)).toEqual([]);
    await expect(world.load(theirs, 'tides')).rejects.toMatchObject({ slug: 'unknown-skill' });
    await expect(review(stranger, 'tides')).rejects.toMatchObject({ slug: 'unknown-skill' });
    expect(await list(stranger)).toEqual([]);
    // A chat elsewhere that claims to have pinned it gets nothing of it either.
    const { slug, version, digest } = (await list(user))[0]!;
    expect((await world.prepare(theirs, { pinned: [{ slug, version, digest }] })).loaded).toEqual([]);
  });

  it('may be published by a lone admin, and the audit log says so', async () => {
    await begin();
    const lone = await person(authors(), 'user', 'admin');
    await save(lone, 'tides');
    await submit(lone, 'tides');
    await review(lone, 'tides');
    const { entries } = await world.wires.gateway.call(listAudit, { authority: await lone.token(), account: lone.entitlements.account });
    expect(entries.map(({ action, after }) => [action, (after as { reviewedByAuthor?: boolean }).reviewedByAuthor])).toEqual([
      ['publish-account-skill', true],
      ['submit-account-skill', undefined],
      ['save-account-skill', undefined],
    ]);
  });

  it('stays a draft while the linter finds errors, which are told with file and line', async () => {
    await begin();
    const who = await person(authors(), 'user');
    const saved = await save(who, 'tides', { capabilities: 'sandbox' }, { 'tides/references/x.md': `token: ${['ghp', 'wJ8xQ2nT5vB1kR9mZ4cL7pD3fH6gY0sAeUtX'].join('_')}\n` });
    expect(saved.findings.filter(({ level }) => level === 'error').map(({ rule, file }) => [rule, file])).toEqual(expect.arrayContaining([['secret', 'references/x.md'], ['capability-beyond', 'SKILL.md']]));
    await expect(submit(who, 'tides')).rejects.toMatchObject({ slug: 'skill-has-errors' });
    await expect(save(who, 'other', { profiles: 'nowhere' })).rejects.toMatchObject({ slug: 'skill-package-invalid', message: expect.stringContaining('nowhere') });
  });

  it.each<[string, SkillText | undefined]>([['visible', {}], ['hidden', { hidden: 'true' }]])('takes no name of a %s skill of the platform', async (_word, platform) => {
    await begin({ tides: platform ?? {} });
    await expect(save(await person(authors(), 'user'), 'tides')).rejects.toMatchObject({ slug: 'slug-taken', message: expect.not.stringContaining('hidden') });
  });

  it('belongs to its author, needs the capability, and the name counts in its own account alone', async () => {
    await begin();
    const mine = authors();
    const [one, other] = [await person(mine, 'user'), await person(mine, 'user')];
    await save(one, 'tides');
    await expect(save(other, 'tides')).rejects.toMatchObject({ slug: 'slug-taken' });
    await expect(submit(other, 'tides')).rejects.toMatchObject({ slug: 'unknown-skill' });
    expect(await list(other)).toEqual([]); // a draft is its author's and the admins'
    await expect(save(await person(facts(), 'user'), 'tides')).rejects.toMatchObject({ slug: 'skill-authoring-missing' });
    expect(await save(await person(authors(), 'user'), 'tides')).toMatchObject({ status: 'draft' });
  });

  it('is shadowed where the platform comes to use its name: the publisher hears of how many, the account which, and no draft of it goes on', async () => {
    await begin();
    const [lone, other, operator] = [await person(authors(), 'user', 'admin'), await person(authors(), 'user', 'admin'), await person(facts(), 'operator')];
    for (const slug of ['tides', 'harbour']) {
      await save(lone, slug);
      await submit(lone, slug);
      await review(lone, slug);
    }
    await save(other, 'tides');
    const publish = async (slug: string, version: string) => {
      const id = `art_${randomUUID().replaceAll('-', '')}`;
      uploads.set(id, Buffer.from(JSON.stringify({ files: [{ path: `${slug}/SKILL.md`, text: skillMd(slug, text(slug, { version })) }] })));
      return (await world.wires.gateway.call(calls.publishSkills, { authority: await operator.token(), artifact: id })).findings.filter(({ rule }) => rule === 'shadows-account-skills');
    };
    expect(await publish('fog', '2.0.0')).toEqual([]);
    const [finding, ...more] = await publish('tides', '2.0.0');
    expect([finding, more]).toEqual([expect.objectContaining({ level: 'warning', slug: 'tides', message: expect.stringMatching(/^2 accounts have/) }), []]);
    expect(JSON.stringify(finding)).not.toContain(lone.entitlements.account);
    expect(await list(lone)).toMatchObject([
      { slug: 'harbour', status: 'published', current: true },
      { slug: 'tides', status: 'published', current: false, shadowed: true, why: expect.stringContaining('another name') },
    ]);
    expect((await list(lone))[0]).not.toHaveProperty('shadowed');
    await expect(submit(other, 'tides')).rejects.toMatchObject({ slug: 'slug-taken' });
    expect(await list(other)).toMatchObject([{ slug: 'tides', status: 'draft', shadowed: true }]);
  });

  it('never changes once it is published, whatever the service tries, and gives way to a skill of the platform of its name', async () => {
    await begin();
    const lone = await person(authors(), 'user', 'admin');
    await save(lone, 'tides');
    await submit(lone, 'tides');
    await review(lone, 'tides');
    await expect(save(lone, 'tides', { body: 'Other.' })).rejects.toMatchObject({ slug: 'version-exists' });
    const { account } = lone.entitlements;
    const store = await openStore({ ...catalogStore, url: house.url });
    try {
      const attempt = (sql: string) => inAccount(store, account, (manager) => manager.query(sql));
      await expect(attempt(`UPDATE account_skills SET body = 'x'`)).rejects.toThrow('does not change');
      await expect(attempt('DELETE FROM account_skills')).rejects.toThrow('does not change');
      await expect(attempt('DELETE FROM account_skill_files')).rejects.toThrow('do not change');
      expect(await inAccount(store, randomUUID(), (manager) => manager.query('SELECT 1 FROM account_skills'))).toEqual([]);
      expect(await store.query('SELECT 1 FROM account_skill_files')).toEqual([]);
    } finally {
      await store.destroy();
    }
    await house.directory.write('tides/SKILL.md', skillMd('tides'));
    await house.restart();
    expect(await world.load(await world.ticketOf(lone.entitlements), 'tides')).toMatchObject({ source: 'platform' });
  });
});
