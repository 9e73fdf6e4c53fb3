import { grantToService, protectByAccount } from '@skillgate/store/policies';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which approved calls have a grant, and for which arguments. */
export class CallGrants1764500800000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE call_grants (
        account uuid NOT NULL,
        turn uuid NOT NULL,
        call_id text NOT NULL,
        arguments_hash text NOT NULL,
        expires_at timestamptz NOT NULL,
        PRIMARY KEY (account, turn, call_id)
      )`);
    await protectByAccount(runner, 'call_grants');
    await grantToService(runner, 'call_grants', ['SELECT', 'INSERT', 'UPDATE']);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE call_grants');
  }
}
