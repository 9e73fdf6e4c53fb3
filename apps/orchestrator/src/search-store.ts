import type { ChatPassage } from '@skillgate/contracts/calls/chats';
import type { HistoryItem } from '@skillgate/prompt/history';
import { type AskedWord, type SkippedWord, skippedIn, termsOfQuery } from '@skillgate/search/passage-terms';
import { snippetOf } from '@skillgate/search/snippet';
import { inAccount } from '@skillgate/store/account-scope';
import type { DataSource } from 'typeorm';
import { type ChatLine, titleOf } from './chat-summary.js';
import type { ChatOwner } from './user-chats-store.js';
import { readWords, wordsIn } from './words-store.js';

export interface ChatQuery {
  query: string;
  /** How many chats at most. */
  limit: number;
  /** A chat that is left out, such as that in which the question is asked. */
  except?: string;
}

export interface FoundChats {
  passages: ChatPassage[];
  /** False while there are chats whose words have not been read. */
  complete: boolean;
  /** Words of the query that were not searched; absent where there are none. */
  skipped?: SkippedWord[];
}

/** Words of a query that are looked up. */
const mostWords = 32;
/** Milliseconds in which chats are read that nobody has searched yet. */
const readMs = 4_000;
const snippetLength = 240; // characters

type Row = Pick<ChatLine, 'chat' | 'title' | 'asked'> & { seq: number; turn: string | null; at: Date; item: HistoryItem | null };

/**
 * A passage is as good as the words that it shares with the query are rare among all of the user's passages; of a chat the best one stands.
 * Words count once for each word of the query, in whatever language they were met.
 */
const search = `
  WITH asked AS (SELECT * FROM unnest($2::int[], $3::text[]) AS a (word, term)),
  own AS MATERIALIZED (SELECT chat, seq, turn, said_at, terms FROM chat_words WHERE "user" = $1 AND chat IS DISTINCT FROM $4::uuid),
  hits AS MATERIALIZED (
    SELECT o.chat, o.seq, o.turn, o.said_at, h.word FROM own o
    CROSS JOIN LATERAL (SELECT DISTINCT a.word FROM asked a WHERE a.term = ANY (o.terms)) h
    WHERE o.terms && $3::text[]),
  rarity AS (
    SELECT h.word, ln(1 + (n.passages - count(*) + 0.5) / (count(*) + 0.5)) AS weight
    FROM hits h CROSS JOIN (SELECT count(*)::float AS passages FROM own) n GROUP BY h.word, n.passages),
  scored AS (SELECT chat, seq, turn, said_at, sum(weight) AS score FROM hits JOIN rarity USING (word) GROUP BY chat, seq, turn, said_at),
  best AS (SELECT DISTINCT ON (chat) * FROM scored ORDER BY chat, score DESC, seq DESC)
  SELECT b.chat, b.seq, b.turn, b.said_at AS at, c.title, i.item,
    (SELECT f.item -> 'content' FROM chat_items f WHERE f.chat = c.id AND f.item ->> 'kind' = 'user' ORDER BY f.seq LIMIT 1) AS asked
  FROM best b JOIN chats c ON c.id = b.chat LEFT JOIN chat_items i ON i.chat = b.chat AND i.seq = b.seq
  ORDER BY b.score DESC, b.said_at DESC, b.chat LIMIT $5`;

/** Searches what a user and models said to each other, for REST and for models alike. */
export class SearchChats {
  constructor(private readonly dataSource: DataSource) {}

  async search(owner: ChatOwner, { query, limit, except }: ChatQuery): Promise<FoundChats> {
    const complete = await readWords(this.dataSource, owner, Date.now() + readMs);
    const words = termsOfQuery(query, mostWords);
    if (words.length === 0) return { passages: [], complete };
    const skipped = skippedIn(query, mostWords);
    const rows: Row[] = await inAccount(this.dataSource, owner.account, (sql) =>
      sql.query(search, [owner.user, ...columnsOf(words), except ?? null, limit]),
    );
    const asked = new Set(words.flatMap(({ terms }) => terms));
    return { passages: rows.map((row) => passageOf(row, asked)), complete, ...(skipped.length > 0 && { skipped }) };
  }
}

const columnsOf = (words: readonly AskedWord[]): [number[], string[]] => {
  const pairs = words.flatMap(({ terms }, word) => terms.map((term) => [word, term] as const));
  return [pairs.map(([word]) => word), pairs.map(([, term]) => term)];
};

function passageOf({ chat, title, asked: first, turn, at, item }: Row, asked: ReadonlySet<string>): ChatPassage {
  const shown = titleOf({ title, asked: first });
  const by = item?.kind === 'user' || item?.kind === 'assistant' ? item.kind : 'title';
  return { chat, title: shown, turn, by, snippet: item ? snippetOf(wordsIn(item), asked, snippetLength) : shown, at: at.toISOString() };
}
