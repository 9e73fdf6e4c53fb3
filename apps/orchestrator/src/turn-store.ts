import { refuse } from '@skillgate/contracts/refusal';
import type { RouteStep } from '@skillgate/contracts/route';
import type { TurnOutcome } from '@skillgate/contracts/turn-stream';
import { inAccount } from '@skillgate/store/account-scope';
import { together } from '@skillgate/store/together';
import type { DataSource, EntityManager } from 'typeorm';
import { type AskedCall, insertAsked, withdrawPending } from './approvals-store.js';
import { checkResults } from './client-tools.js';
import { type BegunBefore, keepTranscript, requireUnmoved, takeKey } from './transcripts-store.js';
import { appendItems, appendSteps, storable, storableCopy } from './append-store.js';
import { ChatRow, TurnRow, type TurnFacts } from './entities.js';
import { newToChat } from './new-to-chat.js';
import { placeTurn } from './place-store.js';
import { tellEnded, tellStarted, tellSteps } from './tell-turn.js';
import type { ChatState, Count, NewTurn, Unsaved } from './turn-records.js';
import { type TurnChange, updateTurn } from './update-turn.js';
import type { Usage } from './usage.js';
import { readUsage, requireRoomFor } from './usage-store.js';
import { visibleOf } from './visible-history.js';

/** Who asks for a turn: its user, or without one the whole account. */
export interface TurnReader {
  account: string;
  user?: string;
}

/** A turn as one instance holds it. */
export type HeldTurn = Pick<NewTurn, 'account' | 'turn' | 'attempt'>;

/** Milliseconds that a running turn belongs to its instance without a word from it, unless configured. */
export const defaultLeaseMs = 15_000;

/** A turn that waits for its user. */
export interface Wait {
  /** As its approvals have it. */
  askedAt: Date;
  until: Date;
}

/** Milliseconds that a turn waits for its user, unless configured. */
export const defaultApprovalMs = 24 * 3_600_000;

/** Chats and turns: with `place-store`, `append-store`, `update-turn`, `usage-store` and `takeover-store` the only SQL of this room. */
export class TurnStore {
  constructor(
    private readonly dataSource: DataSource,
    private readonly leaseMs = defaultLeaseMs,
    private readonly approvalMs = defaultApprovalMs,
  ) {}

  /**
   * Writes the turn and what is said in it, in one commit. `onPlaced` hears of the chat, the new messages included, as soon as
   * the turn has its place in it: what only reads need not wait for the commit, and is void when this rejects. A turn that
   * has begun already is not begun again, and `onPlaced` hears nothing.
   *
   * @returns the turn that answers in its place, since its idempotency key was used before
   * @throws refusal `unknown-chat`, `turn-in-progress`, `chat-moved`, `unknown-tool-call` or `idempotency-key-reused`, or which limit of the account was reached
   */
  begin(turn: NewTurn, onPlaced: (chat: ChatState) => void): Promise<BegunBefore | null> {
    return inAccount(this.dataSource, turn.account, async (sql) => {
      const before = await takeKey(sql, turn);
      if (before) return before;
      await requireRoomFor(sql, turn, turn.limits);
      const chat = await placeTurn(sql, turn, this.leaseMs);
      if (!chat) return null;
      await requireUnmoved(sql, turn);
      checkResults(chat.history, turn.items);
      const items = newToChat(visibleOf(chat.history, chat.compacted), turn.items);
      onPlaced({ ...chat, history: [...chat.history, ...items] });
      await together(appendItems(sql, turn, chat.history.length, items), tellStarted(sql, turn));
      return null;
    });
  }

  /**
   * What happened since the last commit, in one. `from`: how many items and steps are there already.
   *
   * @param amend `facts` are those that changed since the last commit
   */
  append(turn: NewTurn, from: Count, { facts, ...unsaved }: Unsaved & { facts: Partial<TurnFacts> }, amend = false): Promise<void> {
    return this.write(turn, from, unsaved, { facts, amend });
  }

  /** The last commit of a turn. */
  end(turn: NewTurn, from: Count, { outcome, facts, ...unsaved }: Unsaved & { outcome: TurnOutcome; facts?: Partial<TurnFacts> }, amend = false): Promise<void> {
    return this.write(turn, from, { ...unsaved, round: null }, { facts, amend, outcome });
  }

  /**
   * What happened since the last commit, and that calls wait for their user: the turn has no instance from now on. One that is
   * cancelled meanwhile is taken up at once.
   *
   * @returns since when and until when it waits, by the clock of the database
   */
  suspend(turn: NewTurn, from: Count, { facts, ...unsaved }: Unsaved & { facts: Partial<TurnFacts> }, asked: readonly AskedCall[], amend = false): Promise<Wait> {
    const { turn: id, attempt, account } = turn;
    return inAccount(this.dataSource, account, async (sql) => {
      const read = () => sql.query(`SELECT waiting_since AS "askedAt", lease_until AS until FROM turns WHERE id = $1 AND attempt = $2 AND status = 'waiting'`, [id, attempt]);
      const [before] = (await read()) as Wait[];
      if (before) return before; // committed before, and only the word of it was lost
      await this.writeIn(sql, turn, from, unsaved, { facts, amend });
      await insertAsked(sql, turn, asked);
      await sql.query(
        `UPDATE turns SET status = 'waiting', waiting_since = now(),
           lease_until = CASE WHEN cancel_requested THEN now() - interval '1 millisecond' ELSE now() + $2 * interval '1 millisecond' END
         WHERE id = $1`,
        [id, this.approvalMs],
      );
      return ((await read()) as [Wait])[0];
    });
  }

  private write(turn: NewTurn, from: Count, unsaved: Unsaved, change: TurnChange): Promise<void> {
    return inAccount(this.dataSource, turn.account, (sql) => this.writeIn(sql, turn, from, unsaved, change));
  }

  private async writeIn(sql: EntityManager, turn: NewTurn, from: Count, { items, steps, chat, round, usage }: Unsaved, change: TurnChange): Promise<void> {
    const { outcome } = change;
    // First, since it also locks the row: nothing is written to a turn that somebody else has taken over or ended.
    if (!(await updateTurn(sql, turn, { ...change, round, usage }))) {
      if (outcome && (await endedWith(sql, turn, outcome))) return;
      throw refuse('turn-not-held', 'This turn belongs to another instance or has ended; nothing more is written to it from here.');
    }
    // The row is held: the rest goes in one round trip, in whatever order.
    await together(
      appendItems(sql, turn, from.items, items),
      appendSteps(sql, turn, from.steps, steps),
      Object.keys(chat).length > 0 && sql.update(ChatRow, { id: turn.chat }, storableCopy(chat) as object),
      tellSteps(sql, turn, from.steps, steps),
      outcome && keepTranscript(sql, turn, outcome),
      outcome && withdrawPending(sql, turn.turn),
    );
    if (outcome) await tellEnded(sql, [turn.turn]); // behind its steps
  }

  /** What the account has used up today. */
  usage(account: string): Promise<Usage> {
    return inAccount(this.dataSource, account, (sql) => readUsage(sql, account));
  }

  /** Renews the lease and hears whether the user wants the turn to stop. */
  async renew({ account, turn, attempt }: HeldTurn): Promise<{ held: boolean; cancelRequested: boolean }> {
    const [rows] = (await inAccount(this.dataSource, account, (sql) =>
      sql.query(
        `UPDATE turns SET lease_until = now() + $3 * interval '1 millisecond'
         WHERE id = $1 AND status = 'running' AND attempt = $2 RETURNING cancel_requested`,
        [turn, attempt, this.leaseMs],
      ),
    )) as [{ cancel_requested: boolean }[], number];
    return { held: rows.length > 0, cancelRequested: rows[0]?.cancel_requested ?? false };
  }

  /** Gives the turn away: whoever looks next takes it over at once. @returns whether it was held */
  async release({ account, turn, attempt }: HeldTurn): Promise<boolean> {
    const change = { leaseUntil: () => `now() - interval '1 millisecond'` };
    const { affected } = await inAccount(this.dataSource, account, (sql) => sql.update(TurnRow, { id: turn, status: 'running', attempt }, change));
    return affected !== 0;
  }

  /** @returns whether the turn was still running. @throws refusal `unknown-turn` */
  requestCancel(reader: TurnReader, turn: string): Promise<boolean> {
    return inAccount(this.dataSource, reader.account, async (sql) => {
      await readTurn(sql, reader, turn);
      // Of one that waits somebody has to take it up to end it.
      const [, affected] = (await sql.query(
        `UPDATE turns SET cancel_requested = true, lease_until = CASE status WHEN 'waiting' THEN now() - interval '1 millisecond' ELSE lease_until END
         WHERE id = $1 AND status IN ('running', 'waiting')`,
        [turn],
      )) as [unknown, number];
      return affected !== 0;
    });
  }

  /** @throws refusal `unknown-turn` */
  get(reader: TurnReader, turn: string): Promise<TurnRow> {
    return inAccount(this.dataSource, reader.account, (sql) => readTurn(sql, reader, turn));
  }

  /** @throws refusal `unknown-turn` */
  getWithSteps(reader: TurnReader, turn: string): Promise<{ turn: TurnRow; steps: RouteStep[] }> {
    return inAccount(this.dataSource, reader.account, async (sql) => {
      const row = await readTurn(sql, reader, turn);
      const steps: { step: RouteStep }[] = await sql.query('SELECT step FROM turn_steps WHERE turn = $1 ORDER BY n', [turn]);
      return { turn: row, steps: steps.map((each) => each.step) };
    });
  }
}

async function readTurn(sql: EntityManager, { user }: TurnReader, turn: string): Promise<TurnRow> {
  const row = await sql.findOneBy(TurnRow, { id: turn, ...(user ? { user } : {}) });
  if (!row) throw refuse('unknown-turn', `You have no turn ${turn} here. Its id is in the header x-skillgate-turn of the answer.`);
  return row;
}

/** Was this very end committed before, and only the word of it lost on the way? */
async function endedWith(sql: EntityManager, { turn, attempt }: NewTurn, outcome: TurnOutcome): Promise<boolean> {
  const found: unknown[] = await sql.query('SELECT 1 FROM turns WHERE id = $1 AND attempt = $2 AND outcome = $3::jsonb', [turn, attempt, storable(outcome)]);
  return found.length > 0;
}
