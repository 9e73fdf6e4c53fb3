import { createAudit, dropAudit } from '@skillgate/store/audit-tables';
import { createIdFunction, grantToService, protectByAccount } from '@skillgate/store/policies';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const lapsed = (statuses: string) =>
  `SELECT t.id, t.account FROM turns t WHERE t.status IN (${statuses}) AND t.lease_until < now() ORDER BY t.lease_until LIMIT most`;

/** Calls that wait for their user, and turns that wait for them: these have no instance, and a lease that ends when they are given up. */
export class Approvals1764500900000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE turns
        DROP CONSTRAINT turns_status_check,
        ADD CONSTRAINT turns_status_check CHECK (status IN ('running', 'waiting', 'finished', 'failed', 'cancelled')),
        ADD COLUMN waiting_since timestamptz,
        ADD COLUMN waited_ms float NOT NULL DEFAULT 0,
        ADD COLUMN waits int NOT NULL DEFAULT 0`);
    await runner.query('DROP INDEX one_running_turn_a_chat');
    await runner.query(`CREATE UNIQUE INDEX one_running_turn_a_chat ON turns (chat) WHERE status IN ('running', 'waiting')`);
    await runner.query('DROP INDEX running_by_lease');
    await runner.query(`CREATE INDEX running_by_lease ON turns (lease_until) WHERE status IN ('running', 'waiting')`);
    await runner.query('DROP INDEX running_turns_of_account');
    await runner.query(`CREATE INDEX running_turns_of_account ON turns (account) WHERE status IN ('running', 'waiting')`);
    await runner.query(`
      CREATE TABLE approvals (
        id uuid PRIMARY KEY,
        account uuid NOT NULL,
        "user" uuid NOT NULL,
        chat uuid NOT NULL,
        turn uuid NOT NULL REFERENCES turns ON DELETE CASCADE,
        call_id text NOT NULL,
        call jsonb NOT NULL,
        offer text NOT NULL,
        status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'approved', 'edited', 'denied', 'withdrawn')),
        asked_at timestamptz NOT NULL DEFAULT now(),
        decided_at timestamptz,
        decided_by uuid,
        reason text,
        edited jsonb,
        "grant" jsonb,
        trace jsonb,
        UNIQUE (turn, call_id)
      )`);
    await runner.query('CREATE INDEX approvals_of_user ON approvals (account, "user", asked_at DESC)');
    await protectByAccount(runner, 'approvals');
    await grantToService(runner, 'approvals');
    await createAudit(runner);
    await runner.query('DROP FUNCTION lapsed_turns');
    await createIdFunction(runner, 'lapsed_turns', { arguments: 'most int', returns: { turn: 'uuid', account: 'uuid' }, query: lapsed(`'running', 'waiting'`) });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP FUNCTION lapsed_turns');
    await createIdFunction(runner, 'lapsed_turns', { arguments: 'most int', returns: { turn: 'uuid', account: 'uuid' }, query: lapsed(`'running'`) });
    await dropAudit(runner);
    await runner.query('DROP TABLE approvals');
    await runner.query('DROP INDEX running_turns_of_account');
    await runner.query(`CREATE INDEX running_turns_of_account ON turns (account) WHERE status = 'running'`);
    await runner.query('DROP INDEX running_by_lease');
    await runner.query(`CREATE INDEX running_by_lease ON turns (lease_until) WHERE status = 'running'`);
    await runner.query('DROP INDEX one_running_turn_a_chat');
    await runner.query(`CREATE UNIQUE INDEX one_running_turn_a_chat ON turns (chat) WHERE status = 'running'`);
    await runner.query(`
      ALTER TABLE turns
        DROP CONSTRAINT turns_status_check,
        ADD CONSTRAINT turns_status_check CHECK (status IN ('running', 'finished', 'failed', 'cancelled')),
        DROP COLUMN waiting_since,
        DROP COLUMN waited_ms,
        DROP COLUMN waits`);
  }
}
