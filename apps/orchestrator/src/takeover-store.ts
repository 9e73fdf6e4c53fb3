import type { RouteStep } from '@skillgate/contracts/route';
import { inAccount } from '@skillgate/store/account-scope';
import { asHouseError } from '@skillgate/store/database-errors';
import type { DataSource, EntityManager } from 'typeorm';
import { type DecidedCall, readDecided } from './approvals-store.js';
import { readChat } from './place-store.js';
import type { ChatState, NewTurn, OpenRound, Spent, TurnRequest } from './turn-records.js';

export interface LapsedTurn {
  turn: string;
  account: string;
}

/** A turn in the hands of a new instance, with all that its journal has. */
export interface TakenTurn {
  turn: NewTurn;
  chat: ChatState;
  /** Which of the chat's items is the first of this turn. */
  firstItem: number;
  steps: RouteStep[];
  round: OpenRound | null;
  usage: Spent | null;
  cancelRequested: boolean;
  /** Milliseconds since the turn began, without those in which it waited for its user. */
  ageMs: number;
  /** How often it waited for its user: each of these raised its attempt too. */
  waits: number;
  /** It had no instance because it waited, and lost none. */
  waited: boolean;
  /** What its user said of calls, by their ids; those of them that nobody has decided are pending. */
  approvals: ReadonlyMap<string, DecidedCall>;
  /** Milliseconds since its lease lapsed. */
  lapsedMs: number;
}

/** Turns of all accounts whose lease lapsed, longest first. @throws unavailable while the database is away */
export async function lapsedTurns(dataSource: DataSource, most: number): Promise<LapsedTurn[]> {
  try {
    return await dataSource.query('SELECT turn, account FROM lapsed_turns($1)', [most]);
  } catch (error) {
    throw asHouseError(error);
  }
}

/**
 * Takes a turn over: from this commit on, whoever held it writes nothing more. Of several who try one gets it.
 *
 * @returns null when somebody else was faster, or its instance came back in time
 */
export function takeTurn(dataSource: DataSource, { turn, account }: LapsedTurn, leaseMs: number): Promise<TakenTurn | null> {
  return inAccount(dataSource, account, async (sql) => {
    const row = await claim(sql, turn, leaseMs);
    if (!row) return null;
    const chat = await readChat(sql, row);
    if (!chat) return null; // deleted with its chat between the two statements
    const { request, user, model, plan, traceId, attempt, round, usage, cancelRequested, ageMs, lapsedMs, waits, waited } = row;
    const [first]: { seq: number | null }[] = await sql.query('SELECT min(seq) AS seq FROM chat_items WHERE chat = $1 AND turn = $2', [row.chat, turn]);
    const steps: { step: RouteStep }[] = await sql.query('SELECT step FROM turn_steps WHERE turn = $1 ORDER BY n', [turn]);
    const taken: NewTurn = { turn, account, user, chat: row.chat, model, plan, traceId, attempt, items: [], stateful: true, ...(request && { request }), ...(request?.persona && { persona: request.persona }) };
    return {
      turn: taken,
      chat,
      firstItem: first?.seq ?? chat.history.length,
      steps: steps.map((each) => each.step),
      ...{ round, usage, cancelRequested, ageMs, lapsedMs, waits, waited },
      approvals: await readDecided(sql, turn),
    };
  });
}

interface ClaimedRow extends Pick<TakenTurn, 'round' | 'usage' | 'cancelRequested' | 'ageMs' | 'lapsedMs' | 'waits' | 'waited'> {
  chat: string;
  user: string;
  model: string;
  plan: string;
  traceId: string;
  attempt: number;
  request: TurnRequest | null;
}

/** Two at once: the second waits for the first's row, finds a new lease on it and gets nothing. */
async function claim(sql: EntityManager, turn: string, leaseMs: number): Promise<ClaimedRow | undefined> {
  const [rows] = (await sql.query(
    `WITH lapsed AS (
       SELECT id, lease_until, status, coalesce(extract(epoch FROM now() - waiting_since) * 1000, 0)::float AS waited
       FROM turns WHERE id = $1 AND status IN ('running', 'waiting') AND lease_until < now() FOR UPDATE)
     UPDATE turns SET attempt = attempt + 1, lease_until = now() + $2 * interval '1 millisecond', status = 'running', waiting_since = NULL,
       waited_ms = waited_ms + lapsed.waited, waits = waits + (lapsed.status = 'waiting')::int
     FROM lapsed WHERE turns.id = lapsed.id
     RETURNING chat, "user", model, plan, trace_id AS "traceId", attempt, request, round, usage, cancel_requested AS "cancelRequested",
       (extract(epoch FROM now() - started_at) * 1000 - waited_ms)::float AS "ageMs", waits, (lapsed.status = 'waiting') AS waited,
       (extract(epoch FROM now() - lapsed.lease_until) * 1000)::float AS "lapsedMs"`,
    [turn, leaseMs],
  )) as [ClaimedRow[], number];
  return rows[0];
}
