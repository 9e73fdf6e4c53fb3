import { grantToService, protectByAccount } from '@skillgate/store/policies';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** States of skills in single chats. The chats themselves are the orchestrator's. */
export class ChatSkills1764600600000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE chat_skills (
      account uuid NOT NULL,
      chat uuid NOT NULL,
      skills jsonb NOT NULL,
      changed_at timestamptz NOT NULL DEFAULT now(),
      PRIMARY KEY (account, chat))`);
    await protectByAccount(runner, 'chat_skills');
    await grantToService(runner, 'chat_skills', ['SELECT', 'INSERT', 'UPDATE', 'DELETE']);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE chat_skills');
  }
}
