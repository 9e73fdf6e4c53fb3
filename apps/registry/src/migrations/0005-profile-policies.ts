import { grantToService } from '@skillgate/store/policies';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The operator's word on effects of a profile's tools. No foreign key: profiles stand in a file, and a word outlives its absence there. */
export class ProfilePolicies1764500600000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE profile_policies (
      profile text NOT NULL,
      effect text NOT NULL CHECK (effect IN ('read', 'write', 'external')),
      policy text NOT NULL CHECK (policy IN ('allow', 'confirm', 'deny')),
      PRIMARY KEY (profile, effect))`);
    await grantToService(runner, 'profile_policies');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE profile_policies');
  }
}
