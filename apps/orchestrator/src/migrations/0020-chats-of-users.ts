import { grantToService, protectByAccount } from '@skillgate/store/policies';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What users do with their chats: name them, list them by use, search and delete them. */
export class ChatsOfUsers1764502000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // `words_to`: how many items of the chat have been read for the search; see words-store.ts.
    await runner.query(`ALTER TABLE chats ADD COLUMN title text, ADD COLUMN words_to int NOT NULL DEFAULT 0`);
    await runner.query(`CREATE INDEX chats_of_user ON chats (account, "user")`);
    await runner.query(`CREATE INDEX turns_of_chat ON turns (chat, started_at)`); // the last one of each, and all of one that is deleted
    await runner.query(`
      CREATE TABLE chat_words (
        chat uuid NOT NULL REFERENCES chats ON DELETE CASCADE,
        -- Of the item; -1 for the name that the user gave.
        seq int NOT NULL,
        account uuid NOT NULL,
        "user" uuid NOT NULL,
        turn uuid,
        said_at timestamptz NOT NULL,
        terms text[] NOT NULL,
        PRIMARY KEY (chat, seq)
      )`);
    await runner.query(`CREATE INDEX words_of_user ON chat_words (account, "user")`);
    await protectByAccount(runner, 'chat_words');
    await grantToService(runner, 'chat_words');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE chat_words');
    await runner.query('DROP INDEX turns_of_chat');
    await runner.query('DROP INDEX chats_of_user');
    await runner.query('ALTER TABLE chats DROP COLUMN title, DROP COLUMN words_to');
  }
}
