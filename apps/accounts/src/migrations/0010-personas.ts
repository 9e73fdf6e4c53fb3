import { grantToService, protectByAccount } from '@skillgate/store/policies';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What an account may have a model be. A slug is given once for good: chats and routes name it. */
export class Personas1764601000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE personas (
      id uuid PRIMARY KEY,
      account uuid NOT NULL REFERENCES accounts,
      slug text NOT NULL,
      name text NOT NULL,
      instructions text NOT NULL,
      model text,
      skills jsonb NOT NULL,
      integrations text[],
      revision int NOT NULL DEFAULT 1,
      created_at timestamptz NOT NULL DEFAULT now(),
      retired_at timestamptz,
      UNIQUE (account, slug))`);
    await protectByAccount(runner, 'personas');
    await grantToService(runner, 'personas', ['SELECT', 'INSERT', 'UPDATE']);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE personas');
  }
}
