import { refuse } from '@skillgate/contracts/refusal';
import type { TurnOutcome } from '@skillgate/contracts/turn-stream';
import type { EntityManager } from 'typeorm';
import { tellEnded } from './tell-turn.js';
import type { ChatState, NewTurn } from './turn-records.js';

/** Milliseconds that a running turn belongs to its instance without a word from it. */
export const leaseMs = 15_000;

/**
 * Gives the turn its place in its chat, of which there is one for a running turn, and reads the chat as it then stands.
 *
 * @throws refusal `unknown-chat` or `turn-in-progress`
 */
export const placeTurn = (sql: EntityManager, turn: NewTurn): Promise<ChatState> => (turn.stateful ? joinChat(sql, turn) : openChat(sql, turn));

async function openChat(sql: EntityManager, turn: NewTurn): Promise<ChatState> {
  const chat = 'INSERT INTO chats (id, account, "user", model) VALUES ($4, $2, $3, $5) ON CONFLICT DO NOTHING RETURNING id';
  if (!(await insertTurn(sql, turn, chat))) throw refuse('unknown-chat', `Chat ${turn.chat} exists already. Send chat_id to go on with it.`);
  return { prefix: null, prefixHash: null, prefixTools: null, announced: [], pinned: [], epoch: 0, history: [] };
}

/** The chat is read behind the insert: until then the turn before this one may still be writing its end. */
async function joinChat(sql: EntityManager, turn: NewTurn): Promise<ChatState> {
  const chat = 'SELECT id FROM chats WHERE id = $4 AND "user" = $3'; // only chats of this account are visible here at all
  const placed = (await insertTurn(sql, turn, chat)) || ((await endLapsed(sql, 'chat', turn.chat)) && (await insertTurn(sql, turn, chat)));
  const [state]: ChatState[] = await sql.query(
    `SELECT prefix, prefix_hash AS "prefixHash", prefix_tools AS "prefixTools", announced, pinned, epoch,
       (SELECT coalesce(jsonb_agg(item ORDER BY seq), '[]') FROM chat_items WHERE chat = $1) AS history
     FROM chats WHERE id = $1 AND "user" = $2`,
    [turn.chat, turn.user],
  );
  if (!state) throw refuse('unknown-chat', `You have no chat ${turn.chat} here. Leave chat_id out to begin a new one.`);
  if (!placed) throw refuse('turn-in-progress', 'This chat has a turn in progress. Wait for its end or cancel it, then send again.');
  return state;
}

async function insertTurn(sql: EntityManager, turn: NewTurn, chat: string): Promise<boolean> {
  const inserted: unknown[] = await sql.query(
    `WITH chat AS (${chat})
     INSERT INTO turns (id, account, "user", chat, status, model, plan, trace_id, lease_until)
     SELECT $1::uuid, $2::uuid, $3::uuid, id, 'running', $5::text, $6, $7, now() + $8 * interval '1 millisecond' FROM chat
     ON CONFLICT DO NOTHING RETURNING id`,
    [turn.turn, turn.account, turn.user, turn.chat, turn.model, turn.plan, turn.traceId, leaseMs],
  );
  return inserted.length > 0;
}

const interrupted: TurnOutcome = {
  status: 'failed',
  answer: '',
  finishReason: 'error',
  error: { slug: 'turn-interrupted', message: 'The service that ran this turn went away before it ended. Send your message again.' },
  artifacts: [],
  usage: { promptTokens: 0, completionTokens: 0, cachedTokens: 0 },
};

/** Ends a turn that lost its instance, so that nobody waits for ever. @returns whether there was one */
export async function endLapsed(sql: EntityManager, by: 'id' | 'chat', id: string): Promise<boolean> {
  const [ended]: [{ id: string }[], number] = await sql.query(
    `UPDATE turns SET status = 'failed', ended_at = now(), outcome = $2 WHERE ${by} = $1 AND status = 'running' AND lease_until < now()
     RETURNING id`,
    [id, JSON.stringify(interrupted)],
  );
  await tellEnded(
    sql,
    ended.map((turn) => turn.id),
  );
  return ended.length > 0;
}
