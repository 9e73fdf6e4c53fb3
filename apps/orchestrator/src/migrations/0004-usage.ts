import { grantToService, protectByAccount } from '@skillgate/store/policies';
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Usage1764500700000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // A day of UTC is spread over some rows; see usage-store.ts.
    await runner.query(`
      CREATE TABLE account_usage (
        account uuid NOT NULL,
        day date NOT NULL,
        row smallint NOT NULL,
        turns bigint NOT NULL,
        tokens bigint NOT NULL,
        PRIMARY KEY (account, day, row)
      )`);
    await protectByAccount(runner, 'account_usage');
    await grantToService(runner, 'account_usage', ['SELECT', 'INSERT', 'UPDATE']);
    await runner.query(`CREATE INDEX running_turns_of_account ON turns (account) WHERE status = 'running'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX running_turns_of_account');
    await runner.query('DROP TABLE account_usage');
  }
}
