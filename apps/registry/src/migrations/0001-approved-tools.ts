import { grantToService } from '@skillgate/store/policies';
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class ApprovedTools1764500200000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // Facts of the installation, of no account. The key is the tool's name: a model calls names, so a name has one owner.
    await runner.query(`CREATE TABLE approved_tools (
      tool text PRIMARY KEY,
      executor text NOT NULL,
      profile text NOT NULL,
      effect text NOT NULL CHECK (effect IN ('read', 'write', 'external')),
      schema_digest text NOT NULL CHECK (schema_digest ~ '^[0-9a-f]{64}$'),
      description text NOT NULL,
      input_schema json NOT NULL,
      timeout_ms int NOT NULL CHECK (timeout_ms > 0),
      approved_by text NOT NULL,
      approved_at timestamptz NOT NULL DEFAULT now())`);
    await grantToService(runner, 'approved_tools');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE approved_tools');
  }
}
