import { Controller, Get, HttpCode, Inject, Param, Post, Query, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Principal } from '@skillgate/contracts/calls/accounts';
import * as calls from '@skillgate/contracts/calls/skill-versions';
import type { CallOutput } from '@skillgate/contracts/define-call';
import { skillSlug } from '@skillgate/contracts/words';
import type { Signer } from '@skillgate/service-kit/signing';
import { Wire } from '@skillgate/wire/wire';
import type { Request } from 'express';
import { z } from 'zod';
import { Allow, Caller } from '../access/access-guard.js';
import { Operation } from '../openapi/operation.js';
import { readJson } from '../read-json.js';
import { SIGNER } from '../tokens.js';
import { HouseCalls } from './house-calls.js';
import { PathPart } from './path-part.js';
import { QueryParts } from './query-parts.js';
import { packageAsked, PackageBody, packageRefusals, uploadPackage } from './upload-package.js';

const { authority: _authority, slug: _slug, ...verdict } = calls.reviewAccountSkill.input.shape;
const reviewBody = z.strictObject(verdict);
const retireBody = z.strictObject({ reason: calls.retireAccountSkill.input.shape.reason });
const nothing = z.strictObject({}).describe('Send {}.');
const Skill = () => Param('skill', new PathPart(skillSlug, 'unknown-skill'));

@ApiTags('Account skills')
@Controller('api/v1/account-skills')
export class AccountSkillsController {
  constructor(
    @Inject(Wire) private readonly wire: Wire,
    @Inject(SIGNER) private readonly signer: Signer,
    @Inject(HouseCalls) private readonly house: HouseCalls,
  ) {}

  @Post()
  @HttpCode(201)
  @Allow('save-account-skill')
  @PackageBody()
  @Operation({
    summary: 'Saves a skill of your account as a draft, over an earlier draft of yours.',
    description: 'The body is a zip, or JSON {"files":[{"path","text" or "base64"}]}, with one skill. The linter\'s findings come back; errors keep it a draft. Your account needs the capability `skill-authoring`.',
    query: packageAsked,
    status: 201,
    answer: calls.saveAccountSkill.output,
    refusals: ['not-allowed', 'skill-authoring-missing', 'slug-taken', 'version-exists', 'one-skill-only', 'in-review', ...packageRefusals],
  })
  async save(
    @Query(new QueryParts(packageAsked)) { mode }: z.output<typeof packageAsked>,
    @Req() request: Request,
    @Caller() principal: Principal,
  ): Promise<CallOutput<typeof calls.saveAccountSkill>> {
    const artifact = await uploadPackage(this.wire, this.signer, principal, request);
    return this.house.read(calls.saveAccountSkill, principal, { artifact, mode });
  }

  @Get()
  @Allow('list-account-skills')
  @Operation({ summary: "Your account's own skills, by version; drafts as far as they are yours or you are an admin.", description: 'With `shadowed: true` the platform came to use the name of one, and it is not offered any more; `why` says what to do.', answer: calls.listAccountSkills.output })
  async list(@Caller() principal: Principal): Promise<CallOutput<typeof calls.listAccountSkills>> {
    return this.house.read(calls.listAccountSkills, principal, {});
  }

  @Get(':skill')
  @Allow('list-account-skills')
  @Operation({ summary: 'The versions of one of them, with their findings.', answer: calls.listAccountSkills.output, refusals: ['unknown-skill'] })
  async one(@Skill() slug: string, @Caller() principal: Principal): Promise<CallOutput<typeof calls.listAccountSkills>> {
    return this.house.read(calls.listAccountSkills, principal, { slug });
  }

  @Post(':skill/submit')
  @HttpCode(200)
  @Allow('submit-account-skill')
  @Operation({
    summary: 'Hands your draft to review.',
    body: nothing,
    answer: calls.accountSkill,
    refusals: ['not-allowed', 'skill-authoring-missing', 'unknown-skill', 'not-a-draft', 'slug-taken', 'skill-has-errors', 'invalid-body'],
  })
  async submit(@Skill() slug: string, @Req() request: Request, @Caller() principal: Principal): Promise<CallOutput<typeof calls.submitAccountSkill>> {
    await readJson(request, nothing, 'invalid-body');
    return this.house.read(calls.submitAccountSkill, principal, { slug });
  }

  @Post(':skill/review')
  @HttpCode(200)
  @Allow('review-account-skill')
  @Operation({
    summary: 'Publishes what waits for review, or gives it back to its author with a note.',
    description: 'An admin who is the author may do both; the audit log says so.',
    body: reviewBody,
    answer: calls.accountSkill,
    refusals: ['not-allowed', 'unknown-skill', 'not-in-review', 'slug-taken', 'skill-has-errors', 'invalid-body'],
  })
  async review(@Skill() slug: string, @Req() request: Request, @Caller() principal: Principal): Promise<CallOutput<typeof calls.reviewAccountSkill>> {
    return this.house.read(calls.reviewAccountSkill, principal, { slug, ...(await readJson(request, reviewBody, 'invalid-body')) });
  }

  @Post(':skill/retire')
  @HttpCode(200)
  @Allow('retire-account-skill')
  @Operation({ summary: 'Takes the published version out of use for good.', body: retireBody, answer: calls.accountSkill, refusals: ['not-allowed', 'unknown-skill', 'invalid-body'] })
  async retire(@Skill() slug: string, @Req() request: Request, @Caller() principal: Principal): Promise<CallOutput<typeof calls.retireAccountSkill>> {
    return this.house.read(calls.retireAccountSkill, principal, { slug, ...(await readJson(request, retireBody, 'invalid-body')) });
  }
}
