import type { Limits } from '@skillgate/contracts/entitlements';
import type { EntityManager } from 'typeorm';
import type { NewTurn } from './turn-records.js';
import { isLimited, requireRoom, type Usage } from './usage.js';

/**
 * Rows a day on which the turns of an account are counted. Two turns that end at once on one row would wait for each other's
 * commit; on sixteen they hardly meet.
 */
const rowsPerDay = 16;

// One statement is one snapshot: a turn is either going or counted, never both and never neither. One that waits for its user takes no
// place among the parallel ones.
const select = `
  SELECT to_char(day, 'YYYY-MM-DD') AS day, reset AT TIME ZONE 'UTC' AS "resetsAt",
    greatest(extract(epoch FROM reset AT TIME ZONE 'UTC' - clock_timestamp()) * 1000, 0)::float8 AS "resetsInMs",
    (ended.turns + going.turns)::float8 AS turns, ended.tokens::float8 AS tokens, going.running::float8 AS running
  FROM (SELECT (now() AT TIME ZONE 'UTC')::date AS day) today,
    LATERAL (SELECT (day + 1)::timestamp AS reset) midnight,
    LATERAL (SELECT coalesce(sum(u.turns), 0) AS turns, coalesce(sum(u.tokens), 0) AS tokens FROM account_usage u WHERE u.account = $1 AND u.day = today.day) ended,
    LATERAL (SELECT count(*) AS turns, count(*) FILTER (WHERE status = 'running') AS running FROM turns WHERE account = $1 AND status IN ('running', 'waiting')) going`;

/** Inside a transaction of the account. */
export async function readUsage(sql: EntityManager, account: string): Promise<Usage> {
  const [usage] = (await sql.query(select, [account])) as [Usage];
  return usage;
}

/**
 * Lets a turn begin only where its account has room for it. The turns of an account with limits begin one behind the other,
 * in all replicas together, so that two never take the same last place; without limits nobody waits.
 *
 * @throws as `requireRoom`
 */
export async function requireRoomFor(sql: EntityManager, { account }: Pick<NewTurn, 'account'>, limits: Limits | undefined): Promise<void> {
  if (!isLimited(limits)) return;
  await sql.query(`SELECT pg_advisory_xact_lock(hashtextextended('skillgate usage ' || $1, 0))`, [account]);
  requireRoom(await readUsage(sql, account), limits);
}

/** Counts turns that were ended in this transaction, on the day of their end, with the tokens that were written down for them. */
export async function countEnded(sql: EntityManager, turns: readonly string[]): Promise<void> {
  if (turns.length === 0) return;
  await sql.query(
    `INSERT INTO account_usage AS counted (account, day, row, turns, tokens)
     SELECT account, (now() AT TIME ZONE 'UTC')::date, abs(hashtext(id::text) % ${rowsPerDay}), count(*),
       sum(coalesce((outcome #>> '{usage,promptTokens}')::bigint, 0) + coalesce((outcome #>> '{usage,completionTokens}')::bigint, 0))
     FROM turns WHERE id = ANY ($1) AND status NOT IN ('running', 'waiting') GROUP BY 1, 2, 3 ORDER BY 1, 3
     ON CONFLICT (account, day, row) DO UPDATE SET turns = counted.turns + excluded.turns, tokens = counted.tokens + excluded.tokens`,
    [turns],
  );
}
