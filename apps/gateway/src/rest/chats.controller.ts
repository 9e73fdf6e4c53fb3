import { Controller, Get, Inject, Param, Patch, Put, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Principal } from '@skillgate/contracts/calls/accounts';
import { chatSkills, getChatSkills, setChatSkills } from '@skillgate/contracts/calls/catalog';
import { getChat } from '@skillgate/contracts/calls/orchestrator';
import type { CallOutput } from '@skillgate/contracts/define-call';
import { chatId, skillStateEdit, skillStates, type SkillStateEdit } from '@skillgate/contracts/words';
import type { Signer } from '@skillgate/service-kit/signing';
import { Wire } from '@skillgate/wire/wire';
import type { Request } from 'express';
import { z } from 'zod';
import { Allow, Caller } from '../access/access-guard.js';
import { Operation } from '../openapi/operation.js';
import { readJson } from '../read-json.js';
import { mintAuthority } from '../ticket.js';
import { SIGNER } from '../tokens.js';
import { requireOwnChat } from './own-chat.js';
import { NamedSkills } from './named-skills.js';
import { PathPart } from './path-part.js';

const ChatId = () => Param('chat', new PathPart(chatId, 'unknown-chat'));
const changed = chatSkills.extend({ warnings: z.array(z.string()) });
const refusals = ['unknown-chat', 'unknown-skill', 'too-many-states', 'invalid-body'];

@ApiTags('Chats')
@Controller('api/v1/chats')
@Allow('use-own')
export class ChatsController {
  constructor(
    @Inject(Wire) private readonly wire: Wire,
    @Inject(SIGNER) private readonly signer: Signer,
    @Inject(NamedSkills) private readonly named: NamedSkills,
  ) {}

  @Get(':chat')
  @Operation({ summary: 'A chat of your own: its model, its persona, its epoch.', answer: getChat.output, refusals: ['unknown-chat'] })
  get(@ChatId() chat: string, @Caller() principal: Principal): Promise<CallOutput<typeof getChat>> {
    return requireOwnChat(this.wire, this.signer, principal, chat);
  }

  @Get(':chat/skills')
  @Operation({ summary: 'States of skills in this chat alone.', answer: chatSkills, refusals: ['unknown-chat'] })
  async skills(@ChatId() chat: string, @Caller() principal: Principal): Promise<z.infer<typeof chatSkills>> {
    return this.wire.call(getChatSkills, { authority: await this.authority(chat, principal) });
  }

  @Put(':chat/skills')
  @Operation({
    summary: 'Sets the states of skills in this chat; what is not named goes.',
    description: 'They stand above those of persona and account, and count from the next turn on. All of them are set, or none.',
    body: skillStates,
    answer: changed,
    refusals,
  })
  async replace(@ChatId() chat: string, @Req() request: Request, @Caller() principal: Principal): Promise<z.infer<typeof changed>> {
    return this.set(chat, principal, await readJson(request, skillStates, 'invalid-body'), true);
  }

  @Patch(':chat/skills')
  @Operation({
    summary: 'Changes states of skills in this chat; null takes one back, what is not named stays.',
    description: 'All of them are changed, or none.',
    body: skillStateEdit,
    answer: changed,
    refusals,
  })
  async edit(@ChatId() chat: string, @Req() request: Request, @Caller() principal: Principal): Promise<z.infer<typeof changed>> {
    return this.set(chat, principal, await readJson(request, skillStateEdit, 'invalid-body'), false);
  }

  private async set(chat: string, principal: Principal, states: SkillStateEdit, replace: boolean): Promise<z.infer<typeof changed>> {
    const authority = await this.authority(chat, principal);
    const answer = await this.wire.call(setChatSkills, { authority, states, replace });
    return { ...answer, warnings: await this.named.warningsBy(authority) };
  }

  private async authority(chat: string, principal: Principal): Promise<string> {
    await requireOwnChat(this.wire, this.signer, principal, chat);
    return mintAuthority(this.signer, principal, { chat });
  }
}
