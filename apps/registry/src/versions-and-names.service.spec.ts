// Proves: what operators approved before the table had versions stands after it, under the same names, and the way back keeps the newest.
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { openStore } from '@skillgate/store/data-source';
import { type TestDatabase, withDatabase } from '@skillgate/testing/with-database';
import type { DataSource } from 'typeorm';
import { VersionsAndNames1764502000000 } from './migrations/0020-versions-and-names.js';
import { registryStore } from './store-definition.js';

let database: TestDatabase;
let admin: DataSource;

beforeAll(async () => {
  database = await withDatabase();
  const before = registryStore.migrations.filter((one) => one !== VersionsAndNames1764502000000);
  await database.migrate({ ...registryStore, migrations: before });
  admin = await openStore({ schema: 'registry', entities: [], url: database.adminUrl });
  await admin.query(`INSERT INTO approved_tools (tool, executor, profile, effect, schema_digest, description, input_schema, timeout_ms, approved_by)
    VALUES ('docs_read_text', 'docs', 'docs', 'read', repeat('a', 64), 'Reads.', '{"type":"object"}', 1000, 'user x')`);
});

afterAll(async () => {
  await admin?.destroy();
  await database?.close();
});

it('goes up with what stands, and down again', async () => {
  await database.migrate(registryStore);
  expect(await admin.query('SELECT tool, own_name, executor FROM approved_tools')).toEqual([{ tool: 'docs_read_text', own_name: 'docs_read_text', executor: 'docs' }]);
  expect(await admin.query('SELECT tool, own_name, executor FROM tool_names')).toEqual([{ tool: 'docs_read_text', own_name: 'docs_read_text', executor: 'docs' }]);
  const another = (executor: string) => `INSERT INTO approved_tools SELECT tool, '${executor}', profile, effect, repeat('b', 64), description, input_schema, timeout_ms, approved_by, now() + interval '1 minute', own_name FROM approved_tools`;
  await expect(admin.query(another('rival'))).rejects.toThrow('foreign key'); // a name has one owner, whatever the code believes
  await admin.query(another('docs'));

  const runner = admin.createQueryRunner();
  await new VersionsAndNames1764502000000().down(runner);
  await runner.release();
  expect(await admin.query('SELECT tool, schema_digest FROM approved_tools')).toEqual([{ tool: 'docs_read_text', schema_digest: 'b'.repeat(64) }]);
});
