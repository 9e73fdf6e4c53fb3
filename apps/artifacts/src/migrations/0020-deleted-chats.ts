import { grantToService, protectByAccount } from '@skillgate/store/policies';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Chats that are gone, for as long as a tool of one of their last turns may still want to keep a file. */
export class DeletedChats1764502000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE deleted_chats (
        account uuid NOT NULL,
        chat uuid NOT NULL,
        deleted_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (account, chat)
      )`);
    await protectByAccount(runner, 'deleted_chats');
    await grantToService(runner, 'deleted_chats', ['SELECT', 'INSERT', 'DELETE']);
    await runner.query(`CREATE INDEX artifacts_of_chat ON artifacts (account, chat) WHERE chat IS NOT NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX artifacts_of_chat');
    await runner.query('DROP TABLE deleted_chats');
  }
}
