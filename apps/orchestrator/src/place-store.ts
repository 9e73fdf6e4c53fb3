import { refuse } from '@skillgate/contracts/refusal';
import { type EntityManager, QueryFailedError } from 'typeorm';
import { storable } from './append-store.js';
import type { ChatState, NewTurn } from './turn-records.js';

/**
 * Gives the turn its place in its chat, of which there is one for a running turn, and reads the chat as it then stands.
 *
 * @returns null when this very turn has begun already: whoever was not told so asks again
 * @throws refusal `unknown-chat` or `turn-in-progress`
 */
export const placeTurn = (sql: EntityManager, turn: NewTurn, leaseMs: number): Promise<ChatState | null> =>
  turn.stateful ? joinChat(sql, turn, leaseMs) : openChat(sql, turn, leaseMs);

async function openChat(sql: EntityManager, turn: NewTurn, leaseMs: number): Promise<ChatState | null> {
  const chat = 'INSERT INTO chats (id, account, "user", model) VALUES ($4, $2, $3, $5) ON CONFLICT DO NOTHING RETURNING id';
  if (!(await insertTurn(sql, turn, chat, leaseMs))) {
    if (await hasBegun(sql, turn)) return null;
    throw refuse('unknown-chat', `Chat ${turn.chat} exists already. Send chat_id to go on with it.`);
  }
  return { prefix: null, prefixHash: null, prefixTools: null, announced: [], pinned: [], epoch: 0, compacted: null, history: [] };
}

/** The chat is read behind the insert: until then the turn before this one may still be writing its end. */
async function joinChat(sql: EntityManager, turn: NewTurn, leaseMs: number): Promise<ChatState | null> {
  const chat = 'SELECT id FROM chats WHERE id = $4 AND "user" = $3'; // only chats of this account are visible here at all
  const placed = await insertTurn(sql, turn, chat, leaseMs).catch((error: unknown) => {
    throw isDeleted(error) ? noSuchChat(turn.chat) : error; // the chat was deleted while this statement waited for it
  });
  const state = await readChat(sql, turn);
  if (!state) throw noSuchChat(turn.chat);
  if (!placed && (await hasBegun(sql, turn))) return null;
  if (!placed) throw refuse('turn-in-progress', 'This chat has a turn in progress. Wait for its end, decide on what it waits for (GET /api/v1/approvals) or cancel it, then send again.');
  return state;
}

const noSuchChat = (chat: string): Error => refuse('unknown-chat', `You have no chat ${chat} here. Leave chat_id out to begin a new one.`);

/** PostgreSQL's foreign_key_violation: a turn needs its chat. */
const isDeleted = (error: unknown): boolean => error instanceof QueryFailedError && (error.driverError as { code?: string }).code === '23503';

/** Of this account, as all that is visible here. */
async function hasBegun(sql: EntityManager, { turn, chat }: NewTurn): Promise<boolean> {
  const found: unknown[] = await sql.query('SELECT 1 FROM turns WHERE id = $1 AND chat = $2', [turn, chat]);
  return found.length > 0;
}

/** Undefined for a chat that is not this user's. */
export async function readChat(sql: EntityManager, { chat, user }: Pick<NewTurn, 'chat' | 'user'>): Promise<ChatState | undefined> {
  const [state]: ChatState[] = await sql.query(
    `SELECT prefix, prefix_hash AS "prefixHash", prefix_tools AS "prefixTools", announced, pinned, epoch, compacted, persona,
       (SELECT coalesce(jsonb_agg(item ORDER BY seq), '[]') FROM chat_items WHERE chat = $1) AS history
     FROM chats WHERE id = $1 AND "user" = $2`,
    [chat, user],
  );
  return state;
}

async function insertTurn(sql: EntityManager, turn: NewTurn, chat: string, leaseMs: number): Promise<boolean> {
  const inserted: unknown[] = await sql.query(
    `WITH chat AS (${chat})
     INSERT INTO turns (id, account, "user", chat, status, model, plan, trace_id, lease_until, attempt, request)
     SELECT $1::uuid, $2::uuid, $3::uuid, id, 'running', $5::text, $6, $7, now() + $8 * interval '1 millisecond', $9, $10::jsonb FROM chat
     ON CONFLICT DO NOTHING RETURNING id`,
    [turn.turn, turn.account, turn.user, turn.chat, turn.model, turn.plan, turn.traceId, leaseMs, turn.attempt, turn.request ? storable(turn.request) : null],
  );
  return inserted.length > 0;
}
