import type { QueryRunner } from 'typeorm';
import { createDefinerFunction, grantToService, protectByAccount } from './policies.js';

/** Columns as `readAudit` wants them; the time as text, because a `Date` has no microseconds and the cursor needs them. */
export const auditColumns = `id, account, actor, action, target, before, after, trace_id,
  to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS at`;

/**
 * The audit log of a service, for its migration. The service may add entries and read those of one account at a time, and
 * change or remove none. Entries of the platform have no account; they are read through a function that shows them alone.
 */
export async function createAudit(runner: QueryRunner): Promise<void> {
  await runner.query(`CREATE TABLE audit_log (
    id uuid PRIMARY KEY,
    account uuid,
    actor jsonb NOT NULL,
    action text NOT NULL,
    target text NOT NULL,
    before jsonb,
    after jsonb,
    at timestamptz NOT NULL DEFAULT clock_timestamp(),
    trace_id text)`);
  await runner.query('CREATE INDEX audit_of_account ON audit_log (account, at DESC, id DESC)');
  await protectByAccount(runner, 'audit_log');
  await runner.query('CREATE POLICY of_platform ON audit_log FOR INSERT WITH CHECK (account IS NULL)');
  await grantToService(runner, 'audit_log', ['SELECT', 'INSERT']);
  await createDefinerFunction(runner, 'audit_of_platform', {
    arguments: 'before_at timestamptz, before_id uuid, wanted text, most int',
    returns: {
      ...{ id: 'uuid', account: 'uuid', actor: 'jsonb', action: 'text', target: 'text', before: 'jsonb', after: 'jsonb' },
      ...{ trace_id: 'text', at: 'text' },
    },
    body: `PERFORM set_config('skillgate.across', 'on', true);
      RETURN QUERY SELECT ${auditColumns} FROM audit_log l
        WHERE l.account IS NULL AND (before_at IS NULL OR (l.at, l.id) < (before_at, before_id)) AND (wanted IS NULL OR l.action = wanted)
        ORDER BY l.at DESC, l.id DESC LIMIT most;
      PERFORM set_config('skillgate.across', '', true);`,
  });
}

export async function dropAudit(runner: QueryRunner): Promise<void> {
  await runner.query('DROP FUNCTION audit_of_platform');
  await runner.query('DROP TABLE audit_log');
}
