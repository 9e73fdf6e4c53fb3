import type { Actor } from '@skillgate/contracts/audit';
import type { ChatSummary } from '@skillgate/contracts/calls/chats';
import { chatDeleted } from '@skillgate/contracts/events/orchestrator';
import { refuse } from '@skillgate/contracts/refusal';
import { inAccount } from '@skillgate/store/account-scope';
import { recordAudit } from '@skillgate/store/audit';
import { enqueue } from '@skillgate/store/enqueue';
import { eventIdOf } from '@skillgate/store/event-id';
import type { DataSource, EntityManager } from 'typeorm';
import { type ChatLine, summaryOf } from './chat-summary.js';

/** Whose chats are meant. Row-level security sees to the account; each statement here sees to the user. */
export interface ChatOwner {
  readonly account: string;
  readonly user: string;
}

/** When a chat `c` was last used. */
const lastUse = `CROSS JOIN LATERAL (SELECT coalesce(max(t.started_at), c.created_at) AS at FROM turns t WHERE t.chat = c.id) last`;

/** With the moment of its last turn to the microsecond, since a cursor needs it. */
const line = `
  SELECT c.id AS chat, c.title, c.model, c.persona, c.created_at AS "createdAt", last.at AS "lastTurnAt",
    to_char(last.at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS "usedAt",
    (SELECT count(*)::int FROM turns t WHERE t.chat = c.id) AS turns,
    (SELECT i.item -> 'content' FROM chat_items i WHERE i.chat = c.id AND i.item ->> 'kind' = 'user' ORDER BY i.seq LIMIT 1) AS asked
  FROM chats c ${lastUse} WHERE c."user" = $1`;

/** Which chats a page has is settled before anything else of them is read. */
const page = `
  SELECT c.id FROM chats c ${lastUse}
  WHERE c."user" = $1 AND ($2::timestamptz IS NULL OR (last.at, c.id) < ($2::timestamptz, $3::uuid)) ORDER BY last.at DESC, c.id DESC LIMIT $4`;

/** A user's chats between turns. All refuse `unknown-chat`, for another user's too. */
export class UserChatsStore {
  constructor(private readonly dataSource: DataSource) {}

  /** The last used first. @param before `chatCursor` of the last one that was read */
  async list({ account, user }: ChatOwner, limit: number, before?: string): Promise<{ chats: ChatSummary[]; next: string | null }> {
    const [at, id] = before?.split('_') ?? [null, null];
    const rows: ChatLine[] = await inAccount(this.dataSource, account, (sql) =>
      sql.query(`WITH page AS MATERIALIZED (${page}) ${line} AND c.id IN (SELECT id FROM page) ORDER BY last.at DESC, c.id DESC`, [user, at, id, limit + 1]),
    );
    const shown = rows.slice(0, limit);
    const last = shown.at(-1);
    return { chats: shown.map(summaryOf), next: rows.length > limit && last ? `${last.usedAt}_${last.chat}` : null };
  }

  get(owner: ChatOwner, chat: string): Promise<ChatSummary> {
    return inAccount(this.dataSource, owner.account, (sql) => read(sql, owner.user, chat));
  }

  /** @param terms what the name is found by. The audit log has who and when, and none of the user's words. */
  rename(owner: ChatOwner, chat: string, title: string | null, terms: readonly string[], actor: Actor): Promise<ChatSummary> {
    return inAccount(this.dataSource, owner.account, async (sql) => {
      const before = await read(sql, owner.user, chat);
      await sql.query('UPDATE chats SET title = $2 WHERE id = $1', [chat, title]);
      await sql.query('DELETE FROM chat_words WHERE chat = $1 AND seq = -1', [chat]);
      if (title !== null) {
        const words = `INSERT INTO chat_words (chat, seq, account, "user", said_at, terms) VALUES ($1, -1, $2, $3, $4, $5)
          ON CONFLICT (chat, seq) DO UPDATE SET terms = excluded.terms`;
        await sql.query(words, [chat, owner.account, owner.user, before.lastTurnAt, terms]);
      }
      const change = { before: { named: before.named }, after: { named: title !== null } };
      await recordAudit(sql, { account: owner.account, actor, action: 'rename-chat', target: chat, ...change });
      return read(sql, owner.user, chat);
    });
  }

  /** With all that the tables of this room hold of it. Refuses `turn-in-progress`: whoever works on a turn would write into nothing. */
  delete(owner: ChatOwner, chat: string, actor: Actor): Promise<void> {
    const { account, user } = owner;
    return inAccount(this.dataSource, account, async (sql) => {
      // The row of a chat is referred to by its turns: while it is locked none can begin.
      const held: unknown[] = await sql.query('SELECT 1 FROM chats WHERE id = $1 AND "user" = $2 FOR UPDATE', [chat, user]);
      if (held.length === 0) throw unknownChat(chat);
      const open: unknown[] = await sql.query('SELECT 1 FROM turns WHERE chat = $1 AND ended_at IS NULL LIMIT 1', [chat]);
      if (open.length > 0) throw refuse('turn-in-progress', 'This chat has a turn in progress. Cancel it or wait for its end, then delete the chat.');
      const { turns, createdAt } = await read(sql, user, chat);
      await sql.query('DELETE FROM chats WHERE id = $1', [chat]);
      await recordAudit(sql, { account, actor, action: 'delete-chat', target: chat, before: { turns, createdAt }, after: null });
      await enqueue(sql, chatDeleted, { chat, account, user, at: new Date().toISOString() }, { aggregate: chat, id: eventIdOf('chat-deleted', chat) });
    });
  }
}

async function read(sql: EntityManager, user: string, chat: string): Promise<ChatSummary> {
  const [found]: ChatLine[] = await sql.query(`${line} AND c.id = $2`, [user, chat]);
  if (!found) throw unknownChat(chat);
  return summaryOf(found);
}

export const unknownChat = (chat: string): Error => refuse('unknown-chat', `You have no chat ${chat} here. GET /api/v1/chats lists yours.`);
