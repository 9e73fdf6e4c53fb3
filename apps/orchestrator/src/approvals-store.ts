import type { Actor } from '@skillgate/contracts/audit';
import type { PendingApproval, Waiting } from '@skillgate/contracts/approval';
import type { Approval, decideApproval, getApproval } from '@skillgate/contracts/calls/orchestrator';
import type { HeldGrant } from '@skillgate/contracts/calls/registry';
import type { CallAnswer, CallParsedInput } from '@skillgate/contracts/define-call';
import { refuse } from '@skillgate/contracts/refusal';
import type { SkillStates } from '@skillgate/contracts/words';
import { inAccount } from '@skillgate/store/account-scope';
import { recordAudit } from '@skillgate/store/audit';
import type { SpanContext } from '@opentelemetry/api';
import type { DataSource, EntityManager } from 'typeorm';
import { storable } from './append-store.js';
import { requireEdit } from './require-edit.js';
import { refOf, type TurnPersona } from './turn-persona.js';
import type { NewTurn, OpenRound, Spent } from './turn-records.js';

/** A call that its user is asked about. */
export interface AskedCall extends Required<Omit<PendingApproval, 'askedAt'>> {
  readonly offer: string;
  /** As the model was shown it; calls that were asked before it was kept have none. */
  readonly inputSchema?: Record<string, unknown>;
}

/** The same with what became of it. */
export interface DecidedCall {
  readonly id: string;
  readonly status: Approval['status'];
  readonly call: Omit<AskedCall, 'id' | 'offer'>;
  readonly edited: Record<string, unknown> | null;
  readonly by: string | null;
  readonly reason: string | null;
  readonly grant: HeldGrant | null;
  /** Of the request that decided it. */
  readonly trace: Pick<SpanContext, 'traceId' | 'spanId'> | null;
}

export type Decision = CallParsedInput<typeof decideApproval>['decision'];
type Owner = Pick<NewTurn, 'account' | 'user'>;

/** Where a decision comes from. */
export interface Decider extends Owner {
  readonly actor: Actor;
  /** The turn goes on under it. */
  readonly ticket: string;
  readonly trace: DecidedCall['trace'];
}

// Within the journal's own transactions.

export async function insertAsked(sql: EntityManager, { account, user, chat, turn }: NewTurn, asked: readonly AskedCall[]): Promise<void> {
  for (const { id, offer, ...call } of asked) {
    await sql.query(
      'INSERT INTO approvals (id, account, "user", chat, turn, call_id, call, offer) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)',
      [id, account, user, chat, turn, call.callId, storable(call), offer],
    );
  }
}

/** A turn that ended waits for nobody. */
export const withdrawPending = (sql: EntityManager, turn: string): Promise<unknown> =>
  sql.query(`UPDATE approvals SET status = 'withdrawn', decided_at = now() WHERE turn = $1 AND status = 'pending'`, [turn]);

/** By call id: what the calls of a turn came to that its user was asked about. */
export async function readDecided(sql: EntityManager, turn: string): Promise<Map<string, DecidedCall>> {
  const rows: (DecidedCall & { callId: string })[] = await sql.query(
    'SELECT id, call_id AS "callId", status, call, edited, decided_by AS by, reason, "grant", trace FROM approvals WHERE turn = $1',
    [turn],
  );
  return new Map(rows.map((row) => [row.callId, row]));
}

interface Row {
  id: string;
  turn: string;
  chat: string;
  status: Approval['status'];
  call: Omit<AskedCall, 'id' | 'offer'>;
  offer: string;
  askedAt: Date;
  until: Date | null;
  decidedAt: Date | null;
  edited: Record<string, unknown> | null;
  reason: string | null;
  overrides: SkillStates | null;
  persona: TurnPersona | null;
}

/** One whose turn is being cancelled is nobody's to decide any more, also before an instance has ended that turn. */
const openStatus = `CASE WHEN a.status = 'pending' AND t.cancel_requested THEN 'withdrawn' ELSE a.status END`;

const select = `
  SELECT a.id, a.turn, a.chat, ${openStatus} AS status, a.call, a.offer, a.asked_at AS "askedAt", a.decided_at AS "decidedAt", a.edited, a.reason,
    CASE WHEN a.status = 'pending' AND t.status = 'waiting' AND NOT t.cancel_requested THEN t.lease_until END AS until, t.request -> 'overrides' AS overrides,
    t.request -> 'persona' AS persona
  FROM approvals a JOIN turns t ON t.id = a.turn`;

const shown = ({ inputSchema: _schema, ...call }: Row['call']) => call;

const viewOf = ({ id, turn, chat, status, call, askedAt, until, decidedAt, edited, reason }: Row): Approval => ({
  ...{ id, turn, chat, status, reason },
  ...shown(call),
  askedAt: askedAt.toISOString(),
  until: until?.toISOString() ?? null,
  decidedAt: decidedAt?.toISOString() ?? null,
  editedArguments: edited,
});

/** Bytes of arguments that a list may carry in one message. */
const listBytes = 128 * 1024;

/** Calls that wait for their user, and what the user said: beside `turn-store` the SQL of approvals. */
export class ApprovalsStore {
  constructor(private readonly dataSource: DataSource) {}

  /** Newest first. */
  async list({ account, user }: Owner, pendingOnly: boolean, limit: number): Promise<Omit<Approval, 'arguments' | 'editedArguments'>[]> {
    const rows: Row[] = await inAccount(this.dataSource, account, (sql) =>
      sql.query(`${select} WHERE a."user" = $1 AND (NOT $2 OR ${openStatus} = 'pending') ORDER BY a.asked_at DESC, a.id LIMIT $3`, [user, pendingOnly, limit]),
    );
    const views = rows.map(viewOf);
    if (Buffer.byteLength(JSON.stringify(views)) <= listBytes) return views;
    return views.map(({ arguments: _long, editedArguments: _edited, ...rest }) => rest);
  }

  /**
   * @param edit what its user wants in place of the arguments
   * @throws refusal `unknown-approval`, or as `requireEdit` while it waits
   */
  async get({ account, user }: Owner, id: string, edit?: Record<string, unknown>): Promise<CallAnswer<typeof getApproval>> {
    const row = await inAccount(this.dataSource, account, (sql) => readRow(sql, user, id));
    const { offer, overrides, persona } = row;
    if (edit && row.status === 'pending') requireEdit(row.call, edit);
    return { approval: viewOf(row), offer, overrides: overrides ?? {}, ...(persona && { persona: refOf(persona) }) };
  }

  /** What a turn waits for, with the text that it said; undefined when it does not wait. */
  async waiting(account: string, turn: string): Promise<Waiting | undefined> {
    return inAccount(this.dataSource, account, async (sql) => {
      const [row]: { until: Date; round: OpenRound; usage: Spent | null }[] = await sql.query(
        `SELECT lease_until AS until, round, usage FROM turns WHERE id = $1 AND status = 'waiting'`,
        [turn],
      );
      if (!row) return undefined;
      const rows: Row[] = await sql.query(`${select} WHERE a.turn = $1 AND a.status = 'pending' ORDER BY a.asked_at, a.id`, [turn]);
      const approvals = rows.map(({ id, call, askedAt }) => ({ id, ...shown(call), askedAt: askedAt.toISOString() }));
      return waitingOf(row.round.said ?? '', approvals, row.until, row.usage);
    });
  }

  /**
   * Writes down what the user said of a call. With the last one that the turn waits for, its lease ends: whoever looks next goes on.
   *
   * @throws refusal `unknown-approval` or `approval-decided`, or as `requireEdit`
   */
  async decide({ account, user, actor, ticket, trace }: Decider, id: string, decision: Decision): Promise<{ approval: Approval; pending: number }> {
    return inAccount(this.dataSource, account, async (sql) => {
      const { turn } = await readRow(sql, user, id);
      // First, as whoever ends or takes up the turn does: of two last decisions the later one sees the earlier.
      const [held]: { status: string }[] = await sql.query('SELECT status FROM turns WHERE id = $1 FOR UPDATE', [turn]);
      const { call, status } = await readRow(sql, user, id);
      if (status !== 'pending' || held?.status !== 'waiting') throw decided(status);
      if (decision.kind === 'edit') requireEdit(call, decision.arguments);
      const now = { approve: 'approved', edit: 'edited', deny: 'denied' }[decision.kind];
      await sql.query(
        'UPDATE approvals SET status = $2, decided_at = now(), decided_by = $3, reason = $4, edited = $5, "grant" = $6, trace = $7 WHERE id = $1',
        [
          ...[id, now, user, decision.kind === 'deny' ? storableText(decision.reason) : null],
          decision.kind === 'edit' ? storable(decision.arguments) : null,
          decision.kind === 'deny' ? null : JSON.stringify(decision.grant),
          trace ? JSON.stringify(trace) : null,
        ],
      );
      const [{ pending }] = (await sql.query(`SELECT count(*)::int AS pending FROM approvals WHERE turn = $1 AND status = 'pending'`, [turn])) as [{ pending: number }];
      await sql.query(
        `UPDATE turns SET request = jsonb_set(request, '{ticket}', to_jsonb($2::text)),
           lease_until = CASE WHEN $3 THEN now() - interval '1 millisecond' ELSE lease_until END WHERE id = $1`,
        [turn, ticket, pending === 0],
      );
      // Hashes and not arguments: admins read the log, and what was said in a turn is its user's.
      const { tool, callId, argumentsHash } = call;
      await recordAudit(sql, { account, actor, action: `${decision.kind}-call`, target: tool, before: { argumentsHash }, after: { turn, callId, approval: id } });
      return { approval: viewOf(await readRow(sql, user, id)), pending };
    });
  }
}

/** Another user's is as unknown as none. */
async function readRow(sql: EntityManager, user: string, id: string): Promise<Row> {
  const [row]: Row[] = await sql.query(`${select} WHERE a.id = $1 AND a."user" = $2`, [id, user]);
  if (!row) throw refuse('unknown-approval', `You have no call ${id} to decide on. GET /api/v1/approvals lists what waits for you.`);
  return row;
}

const decided = (status: string) =>
  refuse('approval-decided', `This call is ${status === 'pending' ? 'withdrawn: its turn ends without it' : `${openStatus} already`}; nothing was changed.`, { status });

const storableText = (text: string | undefined): string | null => (text ? text.toWellFormed().replaceAll('\0', '\uFFFD') : null);

/** Bytes of the answer and the arguments of a turn that waits: they travel in one message. */
const waitingBytes = 208 * 1024;

/** Arguments are left out as a whole where one message cannot carry them: part of them would mislead. */
export function waitingOf(answer: string, approvals: readonly PendingApproval[], until: Date, usage: Spent | null): Waiting {
  const { promptTokens = 0, completionTokens = 0, cachedTokens = 0 } = usage ?? {};
  const fits = Buffer.byteLength(JSON.stringify([answer, approvals])) <= waitingBytes;
  const shown = fits ? [...approvals] : approvals.map(({ arguments: _long, ...rest }) => rest);
  return { answer, approvals: shown, until: until.toISOString(), usage: { promptTokens, completionTokens, cachedTokens } };
}
