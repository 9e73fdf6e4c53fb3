import { Controller, Get, HttpCode, Inject, Param, Patch, Post, Query, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Principal } from '@skillgate/contracts/calls/accounts';
import { listProfiles, listTools, previewTools, setProfilePolicy, tightenProfilePolicy } from '@skillgate/contracts/calls/registry';
import type { CallOutput } from '@skillgate/contracts/define-call';
import { accountId, profileName } from '@skillgate/contracts/words';
import { may } from '@skillgate/gating/may';
import { refuse } from '@skillgate/contracts/refusal';
import type { Signer } from '@skillgate/service-kit/signing';
import { Wire } from '@skillgate/wire/wire';
import type { Request } from 'express';
import { z } from 'zod';
import { Allow, Caller } from '../access/access-guard.js';
import { Operation } from '../openapi/operation.js';
import { readJson } from '../read-json.js';
import { mintAuthority } from '../ticket.js';
import { SIGNER } from '../tokens.js';
import { AccountId } from './accounts.controller.js';
import { HouseCalls } from './house-calls.js';
import { PathPart } from './path-part.js';
import { QueryParts } from './query-parts.js';

const toolsAsked = z.strictObject({ profile: profileName.optional().describe('Only the tools of this profile.') });
const previewAsked = z.strictObject({ account: accountId.optional().describe('Another account than your own: for operators.') });
const { skill, requires } = previewTools.input.shape;
const previewBody = z.strictObject({ skill, ...requires.shape });
const policyBody = setProfilePolicy.input.shape.policy;
const Profile = () => Param('profile', new PathPart(profileName, 'unknown-profile'));

@ApiTags('Profiles')
@Controller('api/v1')
export class ProfilesController {
  constructor(
    @Inject(Wire) private readonly wire: Wire,
    @Inject(SIGNER) private readonly signer: Signer,
    @Inject(HouseCalls) private readonly house: HouseCalls,
  ) {}

  @Get('profiles')
  @Allow('read-own-account')
  @Operation({
    summary: 'The bundles of tools that skills open, with their tokens, and the policies that hold for your account.',
    answer: listProfiles.output,
  })
  async profiles(@Caller() principal: Principal): Promise<CallOutput<typeof listProfiles>> {
    return this.house.read(listProfiles, principal, {});
  }

  @Get('tools')
  @Allow('read-own-account')
  @Operation({
    summary: 'Every tool of the profiles: who serves it, where it stands, its policy for your account, the tokens of its definition.',
    query: toolsAsked,
    answer: listTools.output,
    refusals: ['unknown-profile', 'invalid-query'],
  })
  async tools(@Query(new QueryParts(toolsAsked)) query: z.infer<typeof toolsAsked>, @Caller() principal: Principal): Promise<CallOutput<typeof listTools>> {
    return this.house.read(listTools, principal, query);
  }

  @Post('tools\\:preview') // a plain colon would begin a parameter
  @HttpCode(200)
  @Allow('read-own-account')
  @Operation({
    summary: 'What a skill with these requirements would open now, and what it would not, with the reasons.',
    description: 'The decision of a load, and nothing is opened. With `skill` the locks on that skill count.',
    query: previewAsked,
    body: previewBody,
    answer: previewTools.output,
    refusals: ['not-allowed', 'unknown-account', 'invalid-query', 'invalid-body'],
  })
  async preview(
    @Query(new QueryParts(previewAsked)) { account }: z.infer<typeof previewAsked>,
    @Req() request: Request,
    @Caller() principal: Principal,
  ): Promise<CallOutput<typeof previewTools>> {
    const allowed = account === undefined || account === principal.account || may(principal, 'read-account', { account });
    if (allowed !== true) throw refuse(allowed.slug, allowed.message);
    const { skill: named, ...needs } = await readJson(request, previewBody, 'invalid-body');
    const ticket = await mintAuthority(this.signer, principal);
    return this.wire.call(previewTools, { ticket, requires: needs, ...(account && { account }), ...(named && { skill: named }) });
  }

  @Patch('profiles/:profile/policy')
  @Allow('set-profile-policy')
  @Operation({
    summary: "The operator's policy for a profile, in all accounts: allow, confirm or deny by effect.",
    description: 'Null takes a word back, so that the profile\'s own counts again. An effect that is absent stays as it is.',
    body: policyBody,
    answer: setProfilePolicy.output,
    refusals: ['not-allowed', 'unknown-profile', 'invalid-body'],
  })
  async set(@Profile() profile: string, @Req() request: Request, @Caller() principal: Principal): Promise<CallOutput<typeof setProfilePolicy>> {
    return this.house.read(setProfilePolicy, principal, { profile, policy: await readJson(request, policyBody, 'invalid-body') });
  }

  @Patch('accounts/:account/profiles/:profile/policy')
  @Allow('tighten-profile-policy')
  @Operation({
    summary: "An account's own policy for a profile: stricter than the house's, never looser.",
    description: 'Null takes a word back. An effect that is absent stays as it is.',
    body: policyBody,
    answer: tightenProfilePolicy.output,
    refusals: ['not-allowed', 'unknown-account', 'unknown-profile', 'policy-loosens', 'invalid-body'],
  })
  async tighten(
    @AccountId() account: string,
    @Profile() profile: string,
    @Req() request: Request,
    @Caller() principal: Principal,
  ): Promise<CallOutput<typeof tightenProfilePolicy>> {
    const policy = await readJson(request, policyBody, 'invalid-body');
    return this.house.read(tightenProfilePolicy, principal, { account, profile, policy });
  }
}
