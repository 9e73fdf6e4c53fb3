import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type ChatExport, exportChat } from '@skillgate/contracts/calls/chats';
import type { CallOutput } from '@skillgate/contracts/define-call';
import type { Wire } from '@skillgate/wire/wire';
import type { Response } from 'express';

type Page = CallOutput<typeof exportChat>;

/**
 * Sends a chat as one JSON document, `chatExport`, page by page and as fast as the client reads: no chat is ever held whole. What fails behind
 * the first page breaks the answer off, so that nobody takes half a chat for one. Refusals: those of `export-chat`.
 *
 * @param mint a new ticket: a long chat on a slow line outlives one
 */
export async function sendExport(wire: Pick<Wire, 'call'>, mint: () => Promise<string>, chat: string, response: Response): Promise<void> {
  const first = await wire.call(exportChat, { ticket: await mint(), chat });
  response.attachment(`chat-${chat}.json`);
  response.setHeader('content-type', 'application/json; charset=utf-8');
  response.setHeader('cache-control', 'private, no-store');
  const read = async (from: number) => wire.call(exportChat, { ticket: await mint(), chat, from });
  await pipeline(Readable.from(documentOf(first, read, new Date())), response);
}

/** The text of the document, in pieces. A turn that goes on over pages is one turn. */
export async function* documentOf(first: Page, read: (from: number) => Promise<Page>, now: Date): AsyncGenerator<string> {
  const { turns: _count, ...about } = first.about;
  const head: Omit<ChatExport, 'turns'> = { format: 'skillgate.chat/1', exportedAt: now.toISOString(), ...about };
  yield `${JSON.stringify(head).slice(0, -1)},"turns":[`;
  let open: string | undefined;
  let told = 0; // messages of the turn that is open
  for (let page = first; ; page = await read(page.next)) {
    for (const { messages, ...turn } of page.turns) {
      if (open !== turn.turn) {
        yield `${open === undefined ? '' : ']},'}\n${JSON.stringify(turn).slice(0, -1)},"messages":[`;
        open = turn.turn;
        told = 0;
      }
      for (const message of messages) yield `${told++ === 0 ? '' : ','}\n${JSON.stringify(message)}`;
    }
    if (page.next === null) break;
  }
  yield open === undefined ? ']}\n' : ']}]}\n';
}
