import type { MigrationInterface, QueryRunner } from 'typeorm';

/** As whom the model answers in a chat: part of what is frozen with an epoch. */
export class ChatPersona1764501000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE chats ADD COLUMN persona jsonb');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE chats DROP COLUMN persona');
  }
}
