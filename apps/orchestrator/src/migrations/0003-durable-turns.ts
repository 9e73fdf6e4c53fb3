import { createIdFunction } from '@skillgate/store/policies';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What another instance needs to go on with a turn, and the scan by which it finds those that lost theirs. */
export class DurableTurns1764500600000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE turns
        ADD COLUMN attempt int NOT NULL DEFAULT 1,
        ADD COLUMN request jsonb,
        ADD COLUMN usage jsonb,
        ADD COLUMN round jsonb`);
    await runner.query(`CREATE INDEX running_by_lease ON turns (lease_until) WHERE status = 'running'`);
    await createIdFunction(runner, 'lapsed_turns', {
      arguments: 'most int',
      returns: { turn: 'uuid', account: 'uuid' },
      query: `SELECT t.id, t.account FROM turns t WHERE t.status = 'running' AND t.lease_until < now() ORDER BY t.lease_until LIMIT most`,
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP FUNCTION lapsed_turns');
    await runner.query('DROP INDEX running_by_lease');
    await runner.query('ALTER TABLE turns DROP COLUMN attempt, DROP COLUMN request, DROP COLUMN usage, DROP COLUMN round');
  }
}
