import type { HistoryItem } from '@skillgate/prompt/history';
import { termsOfText } from '@skillgate/search/passage-terms';
import { inAccount } from '@skillgate/store/account-scope';
import type { DataSource, EntityManager } from 'typeorm';
import { textOf } from './chat-summary.js';
import type { ChatOwner } from './user-chats-store.js';

/** Chats and items that one transaction reads. */
const chatsAtOnce = 100;
const itemsAtOnce = 500;
/** Terms that a passage is found by. */
const mostTerms = 1_000;

interface UnreadItem {
  chat: string;
  seq: number;
  turn: string;
  startedAt: Date;
  item: HistoryItem;
}

/**
 * Brings the words of a user's chats up to what was said, the latest chats first. Whoever searches does it, so that no turn pays for it; items
 * of a turn that has not ended may still change and wait.
 *
 * @param untilMs when to stop, in milliseconds since the epoch
 * @returns whether all was read
 */
export async function readWords(dataSource: DataSource, owner: ChatOwner, untilMs: number): Promise<boolean> {
  const behind = await inAccount(dataSource, owner.account, (sql) => chatsBehind(sql, owner.user));
  for (let at = 0; at < behind.length; at += chatsAtOnce) {
    const chats = behind.slice(at, at + chatsAtOnce);
    for (let read = itemsAtOnce; read === itemsAtOnce;) {
      if (Date.now() >= untilMs) return false;
      read = await inAccount(dataSource, owner.account, (sql) => readSome(sql, owner, chats));
    }
  }
  return true;
}

const unreadItems = `SELECT i.chat, i.seq, i.turn, t.started_at AS "startedAt", i.item
  FROM chats c JOIN chat_items i ON i.chat = c.id AND i.seq >= c.words_to JOIN turns t ON t.id = i.turn AND t.ended_at IS NOT NULL`;

async function chatsBehind(sql: EntityManager, user: string): Promise<string[]> {
  const behind = `SELECT o.id FROM chats o WHERE o."user" = $1 AND EXISTS (${unreadItems} WHERE c.id = o.id) ORDER BY o.created_at DESC`;
  const rows: { id: string }[] = await sql.query(behind, [user]);
  return rows.map(({ id }) => id);
}

/** @returns how many items were read: fewer than `itemsAtOnce` when these chats have no more */
async function readSome(sql: EntityManager, { account, user }: ChatOwner, chats: readonly string[]): Promise<number> {
  // Of two who search at once the second waits and finds less to read: each holding rows that the other wants would help nobody.
  await sql.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 21))', [user]);
  const of = `${unreadItems} WHERE c."user" = $1 AND c.id = ANY ($2::uuid[]) ORDER BY i.chat, i.seq LIMIT $3`;
  const unread: UnreadItem[] = await sql.query(of, [user, chats, itemsAtOnce]);
  if (unread.length === 0) return 0;
  const passages = unread.flatMap(({ chat, seq, turn, startedAt, item }) => {
    const terms = termsOfText(wordsIn(item), mostTerms);
    return terms.length > 0 ? [{ chat, seq, turn, said_at: startedAt, terms }] : [];
  });
  await sql.query(
    `INSERT INTO chat_words (chat, seq, account, "user", turn, said_at, terms)
     SELECT chat, seq, $1, $2, turn, said_at, terms
     FROM jsonb_to_recordset($3::jsonb) AS p (chat uuid, seq int, turn uuid, said_at timestamptz, terms text[])
     ON CONFLICT (chat, seq) DO NOTHING`,
    [account, user, JSON.stringify(passages)],
  );
  const readTo = new Map(unread.map(({ chat, seq }) => [chat, seq + 1])); // in the order of `seq`: the last one stays
  await sql.query(
    `UPDATE chats c SET words_to = greatest(c.words_to, r.to) FROM unnest($1::uuid[], $2::int[]) AS r (chat, "to") WHERE c.id = r.chat`,
    [[...readTo.keys()], [...readTo.values()]],
  );
  return unread.length;
}

/** What users and models said to each other. What tools brought is theirs, and often a book. */
export function wordsIn(item: HistoryItem): string {
  if (item.kind === 'user') return textOf(item.content);
  return item.kind === 'assistant' ? item.text : '';
}
