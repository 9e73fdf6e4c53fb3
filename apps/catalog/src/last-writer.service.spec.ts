// Proves: of several who publish one version with different texts at once, one is first, and nobody overwrites it.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Log } from '@skillgate/service-kit/log';
import { openStore } from '@skillgate/store/data-source';
import { withDatabase, type TestDatabase } from '@skillgate/testing/with-database';
import type { DataSource } from 'typeorm';
import { publishSkills } from './publish-skills.js';
import { SkillStore } from './skill-store.js';
import { SkillsDirectory } from './skills.fixture.js';
import { catalogStore } from './store-definition.js';

const bodies = Array.from({ length: 6 }, (_, n) => `Text of writer ${n}.`);
const log = { info: () => {}, warn: () => {}, error: () => {} } as unknown as Log;

let database: TestDatabase;
let stores: DataSource[];
let directories: SkillsDirectory[];

beforeAll(async () => {
  database = await withDatabase();
  const url = await database.migrate(catalogStore);
  stores = await Promise.all(bodies.map(() => openStore({ ...catalogStore, url })));
  directories = await Promise.all(bodies.map((body) => SkillsDirectory.make({ memo: { body } })));
}, 60_000);
afterAll(async () => {
  await Promise.all((stores ?? []).map((store) => store.destroy()));
  await Promise.all((directories ?? []).map((directory) => directory.remove()));
  await database?.close();
});

const publishAll = () => Promise.all(stores.map((store, n) => publishSkills(new SkillStore(store), directories[n]!.path, log)));
const stored = async () => (await stores[0]!.query("SELECT version, digest, body FROM skill_versions WHERE slug = 'memo'")) as { version: string; digest: string; body: string }[];

describe('one version of several writers', () => {
  it('is what the first of them wrote; each other is told that its text differs', async () => {
    const published = await publishAll();
    const [row, ...more] = await stored();
    expect(more).toEqual([]);
    const writers = published.map(({ insert }) => insert.length);
    expect(writers.filter((count) => count === 1)).toHaveLength(1);
    const first = writers.indexOf(1);
    expect(row!.body.trim()).toBe(bodies[first]);
    for (const [n, { current }] of published.entries()) expect(current[0]!.problems.map(({ rule }) => rule)).toEqual(n === first ? [] : ['version-digest-differs']);

    await publishAll(); // and in any order afterwards
    expect(await stored()).toEqual([row]);
  });
});
