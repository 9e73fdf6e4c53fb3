import { grantToService, protectByAccount } from '@skillgate/store/policies';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What admins said for their own accounts. A word that is looser than the house's counts for nothing, whenever it was said. */
export class AccountPolicies1764500700000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE account_policies (
      account uuid NOT NULL,
      profile text NOT NULL,
      effect text NOT NULL CHECK (effect IN ('read', 'write', 'external')),
      policy text NOT NULL CHECK (policy IN ('allow', 'confirm', 'deny')),
      PRIMARY KEY (account, profile, effect))`);
    await protectByAccount(runner, 'account_policies');
    await grantToService(runner, 'account_policies');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE account_policies');
  }
}
