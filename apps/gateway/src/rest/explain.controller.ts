import { Controller, Get, Inject, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Principal } from '@skillgate/contracts/calls/accounts';
import { explainSkills } from '@skillgate/contracts/calls/catalog';
import { getChat, previewCatalog } from '@skillgate/contracts/calls/orchestrator';
import type { CallOutput } from '@skillgate/contracts/define-call';
import { refuse } from '@skillgate/contracts/refusal';
import { plainText } from '@skillgate/contracts/plain-text';
import { accountId, chatId, skillSlug } from '@skillgate/contracts/words';
import { may } from '@skillgate/gating/may';
import type { Signer } from '@skillgate/service-kit/signing';
import { Wire } from '@skillgate/wire/wire';
import { z } from 'zod';
import { Allow, Caller } from '../access/access-guard.js';
import { Operation } from '../openapi/operation.js';
import { findPersona, personaOfModel } from '../personas.js';
import { mintAuthority } from '../ticket.js';
import { SIGNER } from '../tokens.js';
import { requireOwnChat } from './own-chat.js';
import { QueryParts } from './query-parts.js';

const asked = z.strictObject({
  account: accountId.optional().describe('Another account than your own: for operators.'),
  persona: skillSlug.optional().describe('As this persona of the account.'),
  chat: chatId.optional().describe('In this chat. Admins may name any chat of their account, operators any chat of the account that they ask about, others their own.'),
  skill: skillSlug.optional().describe('This skill alone.'),
});
const viewed = z.strictObject({
  persona: skillSlug.optional().describe('As this persona of your account.'),
  chat: chatId.optional().describe('In this chat of your own: what it has had since its epoch began.'),
  model: plainText(1, 200).optional().describe('A model id as in `/v1/models`, that of a persona included.'),
});

@ApiTags('Skills')
@Controller('api/v1')
@Allow('read-own-account')
export class ExplainController {
  constructor(
    @Inject(Wire) private readonly wire: Wire,
    @Inject(SIGNER) private readonly signer: Signer,
  ) {}

  @Get('explain')
  @Operation({
    summary: 'Why each skill stands where it stands.',
    description: 'For each: its state and the layer that decided it, every requirement, met or not, its version, what a load would open, and what would be withheld and why.',
    query: asked,
    answer: explainSkills.output,
    refusals: ['not-allowed', 'unknown-account', 'unknown-persona', 'unknown-chat', 'unknown-skill', 'invalid-query'],
  })
  async explain(@Query(new QueryParts(asked)) query: z.infer<typeof asked>, @Caller() principal: Principal): Promise<CallOutput<typeof explainSkills>> {
    const { account, chat } = query;
    const foreign = account !== undefined && account !== principal.account;
    const reaches = may(principal, 'read-account', { account: account ?? principal.account });
    if (foreign && reaches !== true) throw refuse(reaches.slug, reaches.message);
    const own = reaches !== true;
    if (chat && own) await requireOwnChat(this.wire, this.signer, principal, chat);
    const ticket = await mintAuthority(this.signer, principal, chat && own ? { chat } : {});
    // A chat that is not in this account has no states of its own, and an answer without them would be the answer to another question.
    if (chat && !own) await this.wire.call(getChat, { ticket, chat, ...(foreign && { account }) });
    return this.wire.call(explainSkills, { ticket, opens: true, ...query }, { deadlineMs: explainMs });
  }

  @Get('catalog\\:preview') // a plain colon would begin a parameter
  @Operation({
    summary: 'The head of the next turn: the very catalog that the model would get, with its tokens.',
    description: '`lines` counts what a budget shortened or left to `list_skills`; all of it can be loaded.',
    query: viewed,
    answer: previewCatalog.output,
    refusals: ['unknown-persona', 'unknown-chat', 'unknown-model', 'invalid-query'],
  })
  async preview(@Query(new QueryParts(viewed)) { persona, chat, model }: z.infer<typeof viewed>, @Caller() caller: Principal): Promise<CallOutput<typeof previewCatalog>> {
    const byModel = model ? await personaOfModel(this.wire, this.signer, caller, model) : null;
    const found = persona ? await findPersona(this.wire, this.signer, caller, persona) : byModel;
    if (persona && byModel && byModel.persona.slug !== persona) throw refuse('invalid-query', 'The model names another persona than `persona` does; give one of them.', { param: 'model' });
    if (chat) await requireOwnChat(this.wire, this.signer, caller, chat);
    const ticket = await mintAuthority(this.signer, found?.principal ?? caller, { ...(chat && { chat }), ...(found && { persona: found.ref }) });
    return this.wire.call(previewCatalog, { ticket, ...(model && !byModel && { model }) });
  }
}

/** The registry is asked for each kind of skill. */
const explainMs = 10_000;
