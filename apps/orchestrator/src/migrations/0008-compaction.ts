import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What models read in place of the beginning of a long chat; see visible-history.ts. */
export class Compaction1764500800000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE chats ADD COLUMN compacted jsonb');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE chats DROP COLUMN compacted');
  }
}
