import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openStore } from '@skillgate/store/data-source';
import { withDatabase, type TestDatabase } from '@skillgate/testing/with-database';
import { accountsStore } from '../store-definition.js';

let database: TestDatabase;

beforeAll(async () => {
  database = await withDatabase();
});

afterAll(() => database?.close());

describe('the migrations of accounts', () => {
  it('run once when three of them meet on an empty database', async () => {
    await Promise.all([database.migrate(accountsStore), database.migrate(accountsStore), database.migrate(accountsStore)]);
    const admin = await openStore({ schema: 'accounts', entities: [], url: database.adminUrl });
    try {
      expect(await admin.query('SELECT name FROM migrations')).toHaveLength(accountsStore.migrations.length);
      expect(await admin.query('SELECT name, capabilities FROM tiers ORDER BY name')).toEqual([
        { name: 'free', capabilities: [] },
        { name: 'pro', capabilities: ['tools'] },
        { name: 'team', capabilities: ['tools', 'subagents', 'sandbox', 'skill-authoring'] },
      ]);
    } finally {
      await admin.destroy();
    }
  });

  it('leave the service unable to read a key list, to rewrite what a tier once was, or to touch an audit entry', async () => {
    const service = await openStore({ ...accountsStore, url: await database.migrate(accountsStore) });
    try {
      expect(await service.query('SELECT * FROM api_keys')).toEqual([]);
      for (const change of [`UPDATE tier_versions SET capabilities = '{tools}'`, 'DELETE FROM tier_versions']) {
        await expect(service.query(change)).rejects.toThrow('permission denied');
      }
      for (const change of [`UPDATE audit_log SET action = 'nothing'`, 'DELETE FROM audit_log', 'TRUNCATE audit_log']) {
        await expect(service.query(change)).rejects.toThrow('permission denied');
      }
      await expect(service.query(`SET ROLE accounts_owner_${database.name}`)).rejects.toThrow('permission denied');
    } finally {
      await service.destroy();
    }
  });
});
