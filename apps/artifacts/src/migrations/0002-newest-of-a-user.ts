import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The list is a user's, not an account's. */
export class NewestOfAUser1764500000002 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE INDEX artifacts_newest_of_user ON artifacts (account, user_id, created_at DESC) WHERE status = 'ready'`);
    await runner.query('DROP INDEX artifacts_newest');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE INDEX artifacts_newest ON artifacts (account, created_at DESC) WHERE status = 'ready'`);
    await runner.query('DROP INDEX artifacts_newest_of_user');
  }
}
