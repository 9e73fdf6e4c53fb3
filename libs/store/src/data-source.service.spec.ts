import 'reflect-metadata';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Test } from '@nestjs/testing';
import { withDatabase, type TestDatabase } from '@skillgate/testing/with-database';
import { DataSource } from 'typeorm';
import { openStore, storeModule } from './data-source.js';
import { notesStore } from './notes.fixture.js';

describe('a store', () => {
  let database: TestDatabase;
  let url: string;

  beforeAll(async () => {
    database = await withDatabase();
    url = await database.migrate(notesStore('notes'));
  });
  afterAll(() => database?.close());

  it('comes to Nest as a DataSource in the service\'s schema, and is closed with the application', async () => {
    const app = await Test.createTestingModule({ imports: [storeModule({ schema: 'notes', entities: [], url })] }).compile();
    await app.init();
    const store = app.get(DataSource);
    expect(await store.query('SELECT current_schema() AS schema')).toEqual([{ schema: 'notes' }]);
    await app.close();
    expect(store.isInitialized).toBe(false);
  });

  it('does not open with a schema name that could carry options of its own', async () => {
    await expect(openStore({ schema: 'notes -c role=postgres', entities: [], url })).rejects.toThrow('is no name for SQL here');
  });

  it('says why it does not open', async () => {
    const wrong = url.replace(/:[^:@]*@/, ':wrong@');
    await expect(openStore({ schema: 'notes', entities: [], url: wrong })).rejects.toThrow('password authentication failed');
  });
});
