import { grantToService, protectByAccount } from '@skillgate/store/policies';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** By what stateless clients are recognised, and which request of theirs is the same again. */
export class Transcripts1764503000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE transcripts (
        turn uuid PRIMARY KEY REFERENCES turns ON DELETE CASCADE,
        account uuid NOT NULL,
        "user" uuid NOT NULL,
        chat uuid NOT NULL REFERENCES chats ON DELETE CASCADE,
        hash text NOT NULL
      )`);
    await protectByAccount(runner, 'transcripts');
    await grantToService(runner, 'transcripts', ['SELECT', 'INSERT', 'DELETE']);
    await runner.query('CREATE INDEX transcripts_by_hash ON transcripts (account, hash)');
    await runner.query('CREATE INDEX transcripts_of_chat ON transcripts (chat)');
    await runner.query('CREATE INDEX turns_of_chat_by_start ON turns (chat, started_at DESC)');
    await runner.query(`
      CREATE TABLE idempotency_keys (
        account uuid NOT NULL,
        "user" uuid NOT NULL,
        key text NOT NULL,
        digest text NOT NULL,
        turn uuid NOT NULL,
        chat uuid NOT NULL,
        model text NOT NULL,
        at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (account, "user", key)
      )`);
    await protectByAccount(runner, 'idempotency_keys');
    await grantToService(runner, 'idempotency_keys', ['SELECT', 'INSERT', 'UPDATE', 'DELETE']);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE idempotency_keys');
    await runner.query('DROP INDEX turns_of_chat_by_start');
    await runner.query('DROP TABLE transcripts');
  }
}
