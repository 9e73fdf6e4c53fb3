import { createIdFunction } from '@skillgate/store/policies';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Who publishes for the platform is told how many accounts bear a name already: a number, and nothing of any account. */
export class AccountSlugs1764600700000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE INDEX account_skills_by_slug ON account_skills (slug)'); // the key begins with the account
    await createIdFunction(runner, 'count_holders', {
      arguments: 'wanted text',
      returns: { accounts: 'bigint' },
      query: `SELECT count(DISTINCT s.account) FROM account_skills s WHERE s.slug = wanted AND (s.current OR s.status IN ('draft', 'review'))`,
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP FUNCTION count_holders');
    await runner.query('DROP INDEX account_skills_by_slug');
  }
}
