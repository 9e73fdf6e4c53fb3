import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIdFunction, grantToService, protectByAccount } from './policies.js';
import type { StoreDefinition } from './store-definition.js';

class CreateNotes1700000000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE TABLE notes (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), account uuid NOT NULL, text text NOT NULL)');
    await protectByAccount(runner, 'notes');
    await grantToService(runner, 'notes');
    await createIdFunction(runner, 'find_notes', {
      arguments: 'wanted text',
      returns: { note: 'uuid', account: 'uuid' },
      query: 'SELECT id, account FROM notes WHERE text = wanted',
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP FUNCTION find_notes; DROP TABLE notes');
  }
}

/** A smallest service: one table with accounts and one id function. */
export const notesStore = (schema: string, ...later: StoreDefinition['migrations']): StoreDefinition => ({
  schema,
  migrations: [CreateNotes1700000000001, ...later],
  entities: [],
});
