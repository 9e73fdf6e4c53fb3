import type { RouteStep } from '@skillgate/contracts/route';
import type { SkillPin } from '@skillgate/contracts/calls/catalog';
import { refuse } from '@skillgate/contracts/refusal';
import type { TurnOutcome } from '@skillgate/contracts/turn-stream';
import type { HistoryItem } from '@skillgate/prompt/history';
import { inAccount } from '@skillgate/store/account-scope';
import type { DataSource, EntityManager } from 'typeorm';
import { ChatRow, TurnRow, type TurnFacts } from './entities.js';
import { tellEnded, tellStarted, tellSteps } from './tell-turn.js';

/** Milliseconds that a running turn belongs to its instance without a word from it. */
export const leaseMs = 15_000;

export interface NewTurn {
  turn: string;
  account: string;
  user: string;
  chat: string;
  model: string;
  plan: string;
  traceId: string;
  items: HistoryItem[];
  /** The gateway named an existing chat: it must be this account's. */
  stateful: boolean;
}

/** What a chat brings into its next turn. */
export interface ChatState {
  prefix: string | null;
  prefixHash: string | null;
  prefixTools: boolean | null;
  announced: string[];
  pinned: SkillPin[];
  epoch: number;
  history: HistoryItem[];
}

interface Count {
  items: number;
  steps: number;
}

/** What a turn has made since its last commit. */
export interface Unsaved {
  items: HistoryItem[];
  steps: RouteStep[];
  chat: Partial<Prefix> & { pinned?: SkillPin[] };
}

/** The frozen part of a chat, written when an epoch begins or the model was told of a change. */
export type Prefix = Pick<ChatState, 'prefix' | 'prefixHash' | 'prefixTools' | 'announced' | 'epoch'>;

/** Chats and turns: the only SQL of the turn's path. */
export class TurnStore {
  constructor(private readonly dataSource: DataSource) {}

  /** Writes turn and user message in one commit, and answers with the chat as it stood. */
  begin(turn: NewTurn): Promise<ChatState> {
    return inAccount(this.dataSource, turn.account, async (sql) => {
      const chat = await this.chatFor(sql, turn);
      await this.insertTurn(sql, turn);
      await tellStarted(sql, turn);
      const rows: { item: HistoryItem }[] = turn.stateful
        ? await sql.query('SELECT item FROM chat_items WHERE chat = $1 ORDER BY seq', [turn.chat])
        : [];
      await appendItems(sql, turn, rows.length, turn.items);
      return { ...chat, history: [...rows.map((row) => row.item), ...turn.items] };
    });
  }

  private async chatFor(sql: EntityManager, turn: NewTurn): Promise<Omit<ChatState, 'history'>> {
    if (turn.stateful) {
      const chat = await sql.findOneBy(ChatRow, { id: turn.chat });
      if (!chat) throw refuse('unknown-chat', `There is no chat ${turn.chat} in this account. Leave chat_id out to begin a new one.`);
      return chat;
    }
    const inserted: unknown[] = await sql.query(
      'INSERT INTO chats (id, account, "user", model) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING RETURNING id',
      [turn.chat, turn.account, turn.user, turn.model],
    );
    if (inserted.length === 0) throw refuse('unknown-chat', `Chat ${turn.chat} exists already. Send chat_id to go on with it.`);
    return { prefix: null, prefixHash: null, prefixTools: null, announced: [], pinned: [], epoch: 0 };
  }

  private async insertTurn(sql: EntityManager, turn: NewTurn): Promise<void> {
    await endLapsed(sql, 'chat', turn.chat);
    const inserted: unknown[] = await sql.query(
      `INSERT INTO turns (id, account, "user", chat, status, model, plan, trace_id, lease_until)
       VALUES ($1, $2, $3, $4, 'running', $5, $6, $7, now() + $8 * interval '1 millisecond')
       ON CONFLICT DO NOTHING RETURNING id`,
      [turn.turn, turn.account, turn.user, turn.chat, turn.model, turn.plan, turn.traceId, leaseMs],
    );
    if (inserted.length > 0) return;
    throw refuse('turn-in-progress', 'This chat has a turn in progress. Wait for its end or cancel it, then send again.');
  }

  /** What happened since the last commit, in one. `from`: how many items and steps are there already. */
  append(turn: NewTurn, from: Count, { facts, ...unsaved }: Unsaved & { facts: TurnFacts }): Promise<void> {
    return this.write(turn, from, unsaved, { facts });
  }

  /** The last commit of a turn. */
  end(turn: NewTurn, from: Count, { outcome, facts, ...unsaved }: Unsaved & { outcome: TurnOutcome; facts: TurnFacts }): Promise<void> {
    return this.write(turn, from, unsaved, { facts, outcome, status: outcome.status, endedAt: new Date() });
  }

  private write(turn: NewTurn, from: Count, { items, steps, chat }: Unsaved, change: Partial<TurnRow>): Promise<void> {
    return inAccount(this.dataSource, turn.account, async (sql) => {
      await holdTurn(sql, turn.turn);
      await appendItems(sql, turn, from.items, items);
      await appendSteps(sql, turn, from.steps, steps);
      if (Object.keys(chat).length > 0) await sql.update(ChatRow, { id: turn.chat }, chat);
      await sql.update(TurnRow, { id: turn.turn }, change as never); // TypeORM's partial type cannot express jsonb
      await tellSteps(sql, turn, from.steps, steps);
      if (change.outcome) await tellEnded(sql, [turn.turn]);
    });
  }

  /** Renews the lease and hears whether the user wants the turn to stop. */
  async renew(account: string, turn: string): Promise<{ held: boolean; cancelRequested: boolean }> {
    const [rows] = (await inAccount(this.dataSource, account, (sql) =>
      sql.query(
        `UPDATE turns SET lease_until = now() + $2 * interval '1 millisecond'
         WHERE id = $1 AND status = 'running' RETURNING cancel_requested`,
        [turn, leaseMs],
      ),
    )) as [{ cancel_requested: boolean }[], number];
    return { held: rows.length > 0, cancelRequested: rows[0]?.cancel_requested ?? false };
  }

  requestCancel(account: string, turn: string): Promise<boolean> {
    return inAccount(this.dataSource, account, async (sql) => {
      const result = await sql.update(TurnRow, { id: turn, status: 'running' }, { cancelRequested: true });
      return (result.affected ?? 0) > 0;
    });
  }

  /** @throws refusal `unknown-turn` */
  async get(account: string, turn: string): Promise<{ turn: TurnRow; steps: RouteStep[] }> {
    const found = await this.find(account, turn);
    if (!found) throw refuse('unknown-turn', `There is no turn ${turn} in this account. Its id is in the header x-skillgate-turn of the answer.`);
    return found;
  }

  /** The turn as the journal has it; one that lost its instance is ended here, so that nobody waits for ever. */
  private find(account: string, turn: string): Promise<{ turn: TurnRow; steps: RouteStep[] } | null> {
    return inAccount(this.dataSource, account, async (sql) => {
      await endLapsed(sql, 'id', turn);
      const row = await sql.findOneBy(TurnRow, { id: turn });
      if (!row) return null;
      const steps: { step: RouteStep }[] = await sql.query('SELECT step FROM turn_steps WHERE turn = $1 ORDER BY n', [turn]);
      return { turn: row, steps: steps.map((each) => each.step) };
    });
  }
}

/** Nothing is written to a turn that was ended by somebody else. */
async function holdTurn(sql: EntityManager, turn: string): Promise<void> {
  const rows: unknown[] = await sql.query(`SELECT 1 FROM turns WHERE id = $1 AND status = 'running' FOR UPDATE`, [turn]);
  if (rows.length === 0) throw refuse('turn-not-held', 'This turn was ended elsewhere; nothing more is written to it.');
}

async function endLapsed(sql: EntityManager, by: 'id' | 'chat', id: string): Promise<void> {
  const outcome: TurnOutcome = {
    status: 'failed',
    answer: '',
    finishReason: 'error',
    error: { slug: 'turn-interrupted', message: 'The service that ran this turn went away before it ended. Send your message again.' },
    artifacts: [],
    usage: { promptTokens: 0, completionTokens: 0, cachedTokens: 0 },
  };
  const [ended] = (await sql.query(
    `UPDATE turns SET status = 'failed', ended_at = now(), outcome = $2 WHERE ${by} = $1 AND status = 'running' AND lease_until < now() RETURNING id`,
    [id, JSON.stringify(outcome)],
  )) as [{ id: string }[], number];
  await tellEnded(sql, ended.map((turn) => turn.id));
}

async function appendItems(sql: EntityManager, turn: NewTurn, from: number, items: HistoryItem[]): Promise<void> {
  if (items.length === 0) return;
  await sql.query(
    `INSERT INTO chat_items (chat, seq, account, turn, item)
     SELECT $1, $2 + n - 1, $3, $4, item FROM jsonb_array_elements($5::jsonb) WITH ORDINALITY AS each (item, n)`,
    [turn.chat, from, turn.account, turn.turn, storable(items)],
  );
}

async function appendSteps(sql: EntityManager, turn: NewTurn, from: number, steps: RouteStep[]): Promise<void> {
  if (steps.length === 0) return;
  await sql.query(
    `INSERT INTO turn_steps (turn, n, account, step)
     SELECT $1, $2 + n - 1, $3, step FROM jsonb_array_elements($4::jsonb) WITH ORDINALITY AS each (step, n)`,
    [turn.turn, from, turn.account, storable(steps)],
  );
}

/** PostgreSQL's jsonb takes neither NUL nor half a surrogate pair; both become U+FFFD, visibly, instead of losing the turn. */
const storable = (value: unknown): string =>
  JSON.stringify(value, (_, each: unknown) => (typeof each === 'string' ? each.toWellFormed().replaceAll('\0', '\uFFFD') : each));
