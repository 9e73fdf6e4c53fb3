import type { MigrationInterface, QueryRunner } from 'typeorm';
import { protectByAccount, grantToService } from '@skillgate/store/policies';

export class ChatsAndTurns1764500000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE chats (
        id uuid PRIMARY KEY,
        account uuid NOT NULL,
        "user" uuid NOT NULL,
        model text NOT NULL,
        epoch int NOT NULL DEFAULT 0,
        prefix text,
        prefix_hash text,
        prefix_tools boolean,
        announced jsonb NOT NULL DEFAULT '[]',
        pinned jsonb NOT NULL DEFAULT '[]',
        created_at timestamptz NOT NULL DEFAULT now()
      )`);
    await runner.query(`
      CREATE TABLE turns (
        id uuid PRIMARY KEY,
        account uuid NOT NULL,
        "user" uuid NOT NULL,
        chat uuid NOT NULL REFERENCES chats ON DELETE CASCADE,
        status text NOT NULL CHECK (status IN ('running', 'finished', 'failed', 'cancelled')),
        model text NOT NULL,
        plan text NOT NULL,
        trace_id text NOT NULL,
        started_at timestamptz NOT NULL DEFAULT now(),
        ended_at timestamptz,
        lease_until timestamptz NOT NULL,
        cancel_requested boolean NOT NULL DEFAULT false,
        outcome jsonb,
        facts jsonb
      )`);
    // One active turn a chat, decided by the database and not by whoever asks first.
    await runner.query(`CREATE UNIQUE INDEX one_running_turn_a_chat ON turns (chat) WHERE status = 'running'`);
    await runner.query(`
      CREATE TABLE chat_items (
        chat uuid NOT NULL REFERENCES chats ON DELETE CASCADE,
        seq int NOT NULL,
        account uuid NOT NULL,
        turn uuid NOT NULL,
        item jsonb NOT NULL,
        PRIMARY KEY (chat, seq)
      )`);
    await runner.query(`
      CREATE TABLE turn_steps (
        turn uuid NOT NULL REFERENCES turns ON DELETE CASCADE,
        n int NOT NULL,
        account uuid NOT NULL,
        step jsonb NOT NULL,
        PRIMARY KEY (turn, n)
      )`);
    for (const table of ['chats', 'turns', 'chat_items', 'turn_steps']) {
      await protectByAccount(runner, table);
      await grantToService(runner, table);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE turn_steps, chat_items, turns, chats');
  }
}
