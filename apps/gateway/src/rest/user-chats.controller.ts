import { Controller, Delete, Get, Inject, Param, Patch, Query, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Principal } from '@skillgate/contracts/calls/accounts';
import { chatCursor, chatExport, deleteChat, listChats, renameChat, searchChats } from '@skillgate/contracts/calls/chats';
import type { CallOutput } from '@skillgate/contracts/define-call';
import { plainText } from '@skillgate/contracts/plain-text';
import { chatId } from '@skillgate/contracts/words';
import type { Signer } from '@skillgate/service-kit/signing';
import { Wire } from '@skillgate/wire/wire';
import type { Request, Response } from 'express';
import { z } from 'zod';
import { Allow, Caller } from '../access/access-guard.js';
import { Operation } from '../openapi/operation.js';
import { readJson } from '../read-json.js';
import { mintTicket } from '../ticket.js';
import { SIGNER } from '../tokens.js';
import { HouseCalls } from './house-calls.js';
import { PathPart } from './path-part.js';
import { QueryParts } from './query-parts.js';
import { sendExport } from './send-export.js';

const ChatId = () => Param('chat', new PathPart(chatId, 'unknown-chat'));
const page = z.strictObject({
  before: chatCursor.optional().describe('`next` of the page before.'),
  limit: z.coerce.number().int().min(1).max(200).default(50),
});
const words = z.strictObject({
  query: plainText(1, 500).describe('Words that were said, in any of their forms.'),
  limit: z.coerce.number().int().min(1).max(50).default(10),
});
const named = z.strictObject({ title: renameChat.input.shape.title.describe('Null: the beginning of what was asked first, again.') });

/** A user's own chats. Admins see nobody's words. */
@ApiTags('Chats')
@Controller('api/v1')
@Allow('use-own')
export class UserChatsController {
  constructor(
    @Inject(Wire) private readonly wire: Wire,
    @Inject(SIGNER) private readonly signer: Signer,
    @Inject(HouseCalls) private readonly house: HouseCalls,
  ) {}

  @Get('chats')
  @Operation({ summary: 'Your own chats, the last used first.', query: page, answer: listChats.output, refusals: ['invalid-query'] })
  async list(@Query(new QueryParts(page)) asked: z.infer<typeof page>, @Caller() principal: Principal): Promise<CallOutput<typeof listChats>> {
    return this.wire.call(listChats, { ...asked, ticket: await mintTicket(this.signer, principal) });
  }

  @Get('chats\\:search') // a plain colon would begin a parameter
  @Operation({
    summary: 'Chats of your own in which words were said, the best passage of each.',
    description:
      'What users and models said and how chats are called is searched, not what tools brought; rare words count more. A turn is found once it ' +
      'has ended. This is what the tool `search_chats` finds, too.',
    query: words,
    answer: searchChats.output,
    refusals: ['invalid-query'],
  })
  async search(@Query(new QueryParts(words)) asked: z.infer<typeof words>, @Caller() principal: Principal): Promise<CallOutput<typeof searchChats>> {
    return this.wire.call(searchChats, { ...asked, ticket: await mintTicket(this.signer, principal) });
  }

  @Get('chats/:chat/export')
  @Operation({
    summary: 'A chat of your own as one JSON document.',
    description:
      'Every turn with all that was said in it, in a form that only ever gets new fields and new roles: `format` would change with anything ' +
      'else. Files are named by their ids. An answer that breaks off is no whole chat.',
    answer: chatExport,
    refusals: ['unknown-chat'],
  })
  async export(@ChatId() chat: string, @Res() response: Response, @Caller() principal: Principal): Promise<void> {
    await sendExport(this.wire, () => mintTicket(this.signer, principal), chat, response);
  }

  @Patch('chats/:chat')
  @Operation({ summary: 'Names a chat of your own.', body: named, answer: renameChat.output, refusals: ['unknown-chat', 'invalid-body'] })
  async rename(@ChatId() chat: string, @Req() request: Request, @Caller() principal: Principal): Promise<CallOutput<typeof renameChat>> {
    return this.house.read(renameChat, principal, { chat, ...(await readJson(request, named, 'invalid-body')) });
  }

  @Delete('chats/:chat')
  @Operation({
    summary: 'Deletes a chat of your own, for good.',
    description:
      'With all that was said in it, its routes, the files that tools made in it and its states of skills. Files that you uploaded stay yours. ' +
      'Not while a turn runs in it: cancel that first.',
    answer: deleteChat.output,
    refusals: ['unknown-chat', 'turn-in-progress'],
  })
  async delete(@ChatId() chat: string, @Caller() principal: Principal): Promise<CallOutput<typeof deleteChat>> {
    return this.house.read(deleteChat, principal, { chat });
  }
}
