import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { listAudit } from '@skillgate/contracts/calls/catalog';
import pg from 'pg';
import { CatalogWorld, facts, slugs } from './catalog-world.fixture.js';
import { skillMd } from './skills.fixture.js';

let world: CatalogWorld;

beforeAll(async () => {
  world = await CatalogWorld.open();
}, 30_000);
afterEach(() => world.closeHouses());
afterAll(() => world?.nats.close());

const version = (state: unknown) => (state as { version?: string } | null)?.version;

describe('publishing', () => {
  it('by two replicas at once on an empty database happens once', async () => {
    const house = await world.house(Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`skill-${n}`, {}])));
    await Promise.all([house.start(), house.start(), house.start()]);
    const admin = new pg.Client({ connectionString: house.database.adminUrl });
    await admin.connect();
    const { rows } = await admin.query(
      'SELECT count(*)::int AS rows, count(*) FILTER (WHERE current)::int AS current FROM catalog.skill_versions',
    );
    await admin.end();
    expect(rows).toEqual([{ rows: 20, current: 20 }]);
  });

  it('never overwrites a version: an edit without a new number is listed with advice', async () => {
    const house = await world.house({ memo: { body: 'First.' } });
    await house.start();
    await house.directory.write('memo/SKILL.md', skillMd('memo', { body: 'Edited.' }));
    await house.restart();
    expect((await world.load(await world.ticketOf(facts()), 'memo')).instructions).toBe('First.');
    expect(await world.listed()).toMatchObject([{ slug: 'memo', status: 'published', problems: [{ rule: 'version-digest-differs' }] }]);
    await house.directory.write('memo/SKILL.md', skillMd('memo', { version: '1.0.1', body: 'Edited.' }));
    await house.restart();
    expect((await world.load(await world.ticketOf(facts()), 'memo')).instructions).toBe('Edited.');
    expect(await world.listed()).toMatchObject([{ version: '1.0.1', problems: [] }]);
  });

  it('notices an edit in a file beside SKILL.md', async () => {
    const house = await world.house({ memo: {} });
    await house.directory.write('memo/references/a.md', 'One.');
    await house.start();
    await house.directory.write('memo/references/a.md', 'Two.');
    await house.restart();
    expect(await world.listed()).toMatchObject([{ problems: [{ rule: 'version-digest-differs' }] }]);
  });

  it('cannot be undone by the service itself: a published row neither changes nor goes', async () => {
    const house = await world.house({ memo: {} });
    await house.start();
    const service = new pg.Client({ connectionString: house.url });
    await service.connect();
    const tries = [
      "UPDATE catalog.skill_versions SET body = 'x'",
      "UPDATE catalog.skill_versions SET status = 'invalid', current = false",
      'DELETE FROM catalog.skill_versions',
    ];
    const outcomes = await Promise.allSettled(tries.map((sql) => service.query(sql)));
    await service.end();
    for (const outcome of outcomes)
      expect(outcome).toMatchObject({ status: 'rejected', reason: { message: expect.stringContaining('does not change') } });
  });

  it('lists everything that is unusable with its reason, and offers none of it', async () => {
    const house = await world.house({ good: {} });
    await house.directory.write('colon/SKILL.md', '---\nname: colon\ndescription: Plan a launch: budget, owners, dates\n---\nx\n');
    await house.directory.write('other-name/SKILL.md', skillMd('another-name'));
    await house.directory.write('empty/README.md', 'no skill');
    await house.directory.write('My Skill/SKILL.md', skillMd('my-skill'));
    await house.directory.write('number/SKILL.md', '---\nname: number\ndescription: d\nmetadata:\n  skillgate.version: 1.10\n---\nx\n');
    await house.directory.write('NOTES.md', 'a file beside the folders is no skill');
    await symlink('/etc', join(house.directory.path, 'linked'));
    await house.directory.write('link-inside/SKILL.md', skillMd('link-inside'));
    await symlink('/etc/passwd', join(house.directory.path, 'link-inside/notes.md'));
    await house.start();
    const found = Object.fromEntries((await world.listed()).map((skill) => [skill.slug, skill]));
    expect(Object.keys(found)).toEqual(['My Skill', 'colon', 'empty', 'good', 'link-inside', 'linked', 'number', 'other-name']);
    expect(found.colon).toMatchObject({
      status: 'invalid',
      version: null,
      digest: null,
      problems: [{ line: 3, message: expect.stringMatching(/quot/i) }],
    });
    expect(found.number).toMatchObject({ status: 'invalid', problems: [{ line: 5 }] });
    expect(found.empty).toMatchObject({ problems: [{ rule: 'skill-md-missing' }] });
    expect(found.linked).toMatchObject({ problems: [{ rule: 'no-folder' }] });
    expect(found['link-inside']).toMatchObject({ problems: [{ rule: 'unreadable', message: expect.stringContaining('notes.md') }] });
    const { entries, withheld } = await world.prepare(await world.ticketOf(facts()));
    expect(slugs(entries)).toEqual(['good']);
    // What is no slug can be named to operators only.
    expect(slugs(withheld)).toEqual(['colon', 'empty', 'link-inside', 'linked', 'number', 'other-name']);
  });

  it('gives a description as one line that says what the file says', async () => {
    const house = await world.house();
    await house.directory.write(
      'folded/SKILL.md',
      '\ufeff---\r\nname: folded\r\ndescription: >-\r\n  Use for budgets\r\n  and forecasts\r\n---\r\nBody.\r\n',
    );
    await house.start();
    expect((await world.prepare(await world.ticketOf(facts()))).entries).toMatchObject([
      { slug: 'folded', description: 'Use for budgets and forecasts' },
    ]);
  });

  it('stands in the audit log of the platform, which operators read, newest first', async () => {
    const house = await world.house({ memo: {}, old: {} });
    await house.start();
    await house.directory.write('memo/SKILL.md', skillMd('memo', { version: '2.0.0' }));
    await rm(join(house.directory.path, 'old'), { recursive: true });
    await house.restart();
    await house.restart();
    const exp = Math.floor(Date.now() / 1000) + 60;
    const ticket = (...roles: string[]) =>
      world.gateway.sign({ typ: 'ticket', account: randomUUID(), user: randomUUID(), roles, policyEpoch: 0, exp });
    const read = async (authority: string) => (await world.wires.gateway.call(listAudit, { authority })).entries;
    const entries = await read(await ticket('operator'));
    expect(entries.map(({ action, target, before, after }) => [action, target, version(before), version(after)]).slice(0, 2)).toEqual([
      ['retire-skill', 'old', '1.0.0', undefined],
      ['publish-skill', 'memo', '1.0.0', '2.0.0'],
    ]);
    expect(entries).toHaveLength(4);
    for (const entry of entries) expect(entry).toMatchObject({ service: 'catalog', account: null, actor: { service: 'catalog' } });
    await expect(read(await ticket('admin'))).rejects.toMatchObject({ slug: 'not-allowed' });
  });

  it('fails at the start, by name, when the directory is not there', async () => {
    const house = await world.house();
    await house.directory.remove();
    await expect(house.start()).rejects.toThrow('SKILLGATE_SKILLS_DIR');
    await house.directory.write('x/README.md', '');
  });
});
