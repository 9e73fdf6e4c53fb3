import type { RouteStep } from '@skillgate/contracts/route';
import type { HistoryItem } from '@skillgate/prompt/history';
import type { EntityManager } from 'typeorm';
import type { NewTurn } from './turn-records.js';

/** Behind the chat's first `from` items. The same items a second time change nothing: a lost commit may have happened. */
export async function appendItems(sql: EntityManager, turn: NewTurn, from: number, items: readonly HistoryItem[]): Promise<void> {
  if (items.length === 0) return;
  const written: unknown[] = await sql.query(
    `INSERT INTO chat_items AS held (chat, seq, account, turn, item)
     SELECT $1, $2 + n - 1, $3, $4, item FROM jsonb_array_elements($5::jsonb) WITH ORDINALITY AS each (item, n)
     ON CONFLICT (chat, seq) DO UPDATE SET item = excluded.item WHERE held.turn = excluded.turn RETURNING seq`,
    [turn.chat, from, turn.account, turn.turn, storable(items)],
  );
  if (written.length !== items.length) throw new Error(`chat ${turn.chat} holds items of another turn from number ${from} on`);
}

export async function appendSteps(sql: EntityManager, turn: NewTurn, from: number, steps: readonly RouteStep[]): Promise<void> {
  if (steps.length === 0) return;
  await sql.query(
    `INSERT INTO turn_steps (turn, n, account, step)
     SELECT $1, $2 + n - 1, $3, step FROM jsonb_array_elements($4::jsonb) WITH ORDINALITY AS each (step, n)
     ON CONFLICT (turn, n) DO UPDATE SET step = excluded.step`,
    [turn.turn, from, turn.account, storable(steps)],
  );
}

/** PostgreSQL's jsonb takes neither NUL nor half a surrogate pair; both become U+FFFD, visibly, instead of losing the turn. */
export function storable(value: unknown): string {
  const text = JSON.stringify(value);
  // JSON writes both as escapes. Nearly no text has one, and a replacer is asked for each of a thousand values.
  if (!suspicious.test(text)) return text;
  return JSON.stringify(value, (_, each: unknown) => (typeof each === 'string' ? each.toWellFormed().replaceAll('\0', '\uFFFD') : each));
}

/** Also finds a backslash before such letters, which only costs the time of a closer look. */
const suspicious = /\\u(?:0000|d[89a-f])/i;

export const storableCopy = <T>(value: T): T => JSON.parse(storable(value)) as T;
