import { refuse } from '@skillgate/contracts/refusal';
import { withMessage } from '@skillgate/contracts/transcript-hash';
import type { TurnOutcome } from '@skillgate/contracts/turn-stream';
import { inAccount } from '@skillgate/store/account-scope';
import type { DataSource, EntityManager } from 'typeorm';
import type { KnownTranscript } from './recognise-chat.js';
import type { NewTurn } from './turn-records.js';

/** Hours in which the same idempotency key is the same request. */
const idempotencyHours = 24;

/** Turns of this user that ended with one of these transcripts; the hashes are the key's. */
export const knownTranscripts = (dataSource: DataSource, { account, user }: { account: string; user: string }, hashes: readonly string[]): Promise<KnownTranscript[]> =>
  inAccount(dataSource, account, (sql) =>
    sql.query(
      `SELECT t.hash, t.chat, t.turn,
         t.turn = (SELECT id FROM turns WHERE chat = t.chat ORDER BY started_at DESC LIMIT 1) AS last
       FROM transcripts t WHERE t.account = $1 AND t."user" = $2 AND t.hash = ANY($3)`,
      [account, user, hashes],
    ),
  );

/** Has the chat gone on since it was found? To be asked when this turn has its place. @throws refusal `chat-moved` */
export async function requireUnmoved(sql: EntityManager, { turn, chat, request }: NewTurn): Promise<void> {
  const after = request?.transcript?.after;
  if (!after) return;
  const [last]: { id: string }[] = await sql.query('SELECT id FROM turns WHERE chat = $1 AND id <> $2 ORDER BY started_at DESC LIMIT 1', [chat, turn]);
  if (last?.id !== after) throw refuse('chat-moved', 'Another request went on with this chat meanwhile. Send this one again.');
}

/** What the client has now: with it, its next request is recognised. Of an answer that it did not get whole there is nothing to know. */
export async function keepTranscript(sql: EntityManager, { turn, account, user, chat, request }: NewTurn, { status, answer, calls }: TurnOutcome): Promise<void> {
  if (!request?.transcript || status !== 'finished') return;
  const hash = withMessage(request.transcript.hash, { role: 'assistant', content: answer, ...(calls && { calls }) });
  await sql.query('INSERT INTO transcripts (turn, account, "user", chat, hash) VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING', [turn, account, user, chat, hash]);
}

export interface BegunBefore {
  turn: string;
  chat: string;
  model: string;
}

/**
 * Takes the key for this turn. Who asks with the same key meanwhile waits for this commit.
 *
 * @returns the turn that the key began before
 * @throws refusal `idempotency-key-reused`
 */
export async function takeKey(sql: EntityManager, { account, user, turn, chat, model, idempotency }: NewTurn): Promise<BegunBefore | null> {
  if (!idempotency) return null;
  const { key, digest } = idempotency;
  const taken: unknown[] = await sql.query(
    `INSERT INTO idempotency_keys AS held (account, "user", key, digest, turn, chat, model) VALUES ($1, $2, $3, $4, $5, $6, $7)
     ON CONFLICT (account, "user", key) DO UPDATE SET digest = excluded.digest, turn = excluded.turn, chat = excluded.chat, model = excluded.model, at = now()
     WHERE held.at < now() - $8 * interval '1 hour' RETURNING turn`,
    [account, user, key, digest, turn, chat, model, idempotencyHours],
  );
  if (taken.length > 0) {
    await sql.query(`DELETE FROM idempotency_keys WHERE account = $1 AND "user" = $2 AND at < now() - $3 * interval '1 hour'`, [account, user, idempotencyHours]);
    return null;
  }
  const [held]: (BegunBefore & { digest: string })[] = await sql.query('SELECT turn, chat, model, digest FROM idempotency_keys WHERE account = $1 AND "user" = $2 AND key = $3', [account, user, key]);
  if (!held || held.digest !== digest) {
    throw refuse('idempotency-key-reused', 'This Idempotency-Key came with another request in the last 24 hours. Send a new key with a new request.');
  }
  return held.turn === turn ? null : { turn: held.turn, chat: held.chat, model: held.model };
}
