import type { ExportedMessage, ExportedTurn } from '@skillgate/contracts/calls/chats';
import type { TurnOutcome } from '@skillgate/contracts/turn-stream';
import type { HistoryItem } from '@skillgate/prompt/history';
import { inAccount } from '@skillgate/store/account-scope';
import type { DataSource } from 'typeorm';
import type { ChatOwner } from './user-chats-store.js';

/** Bytes of items that one page carries, beside its first item, which is never cut: the wire takes 256 KiB. */
const pageBytes = 96 * 1024;
const pageItems = 500;

interface Row {
  seq: number;
  turn: string;
  item: HistoryItem;
  model: string;
  status: string;
  startedAt: Date;
  endedAt: Date | null;
  outcome: TurnOutcome | null;
}

/** The turns of a chat with what was said in them, from item number `from` on. The chat is the owner's: whoever calls has asked. */
export async function exportTurns(
  dataSource: DataSource,
  { account, user }: ChatOwner,
  chat: string,
  from: number,
): Promise<{ turns: ExportedTurn[]; next: number | null }> {
  const rows: Row[] = await inAccount(dataSource, account, (sql) =>
    sql.query(
      `WITH page AS (
         SELECT seq, turn, item, sum(octet_length(item::text)) OVER (ORDER BY seq) AS upto, row_number() OVER (ORDER BY seq) AS n
         FROM (SELECT * FROM chat_items WHERE chat = $1 AND seq >= $2 ORDER BY seq LIMIT $4) i)
       SELECT p.seq, p.turn, p.item, t.model, t.status, t.started_at AS "startedAt", t.ended_at AS "endedAt", t.outcome
       FROM page p JOIN turns t ON t.id = p.turn WHERE t."user" = $5 AND (p.upto <= $3 OR p.n = 1) ORDER BY p.seq`,
      [chat, from, pageBytes, pageItems, user],
    ),
  );
  const last = rows.at(-1);
  if (!last) return { turns: [], next: null };
  const turns: ExportedTurn[] = [];
  for (const row of rows) {
    if (turns.at(-1)?.turn !== row.turn) turns.push(turnOf(row));
    turns.at(-1)!.messages.push(...messagesOf(row.item));
  }
  return { turns, next: last.seq + 1 };
}

const turnOf = ({ turn, model, status, startedAt, endedAt, outcome }: Row): ExportedTurn => ({
  ...{ turn, model, status, startedAt: startedAt.toISOString(), endedAt: endedAt?.toISOString() ?? null },
  ...{ usage: outcome?.usage ?? null, artifacts: outcome?.artifacts ?? [], messages: [] },
});

/** In a form that no vendor and no change of ours moves. What a provider wants back with its calls is nobody's to read, and stays. */
function messagesOf(item: HistoryItem): ExportedMessage[] {
  switch (item.kind) {
    case 'user':
      return [{ role: 'user', content: item.content }];
    case 'assistant':
      return [{ role: 'assistant', content: item.text, calls: item.calls.map(({ id, name, arguments: args }) => ({ id, name, arguments: args })) }];
    case 'result':
      return [{ role: 'tool', callId: item.callId, content: item.content, images: item.images ?? [] }];
    case 'loaded':
      return [{ role: 'skills', skills: item.skills.map(({ slug, version, digest }) => ({ slug, version, digest })) }];
    case 'facts':
    case 'notice':
    case 'summary':
      return [{ role: 'notice', content: item.text }];
  }
}
