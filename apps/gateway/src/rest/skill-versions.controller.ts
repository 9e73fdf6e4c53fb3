import { Controller, Get, HttpCode, Inject, Param, Post, Put, Query, Req, Res } from '@nestjs/common';
import { ApiProduces, ApiTags } from '@nestjs/swagger';
import type { Principal } from '@skillgate/contracts/calls/accounts';
import * as calls from '@skillgate/contracts/calls/skill-versions';
import type { CallOutput } from '@skillgate/contracts/define-call';
import { skillSlug } from '@skillgate/contracts/words';
import type { Signer } from '@skillgate/service-kit/signing';
import { Wire } from '@skillgate/wire/wire';
import type { Request, Response } from 'express';
import { z } from 'zod';
import { Allow, Caller } from '../access/access-guard.js';
import { Operation } from '../openapi/operation.js';
import { readJson } from '../read-json.js';
import { SIGNER } from '../tokens.js';
import { AccountId } from './accounts.controller.js';
import { HouseCalls } from './house-calls.js';
import { PathPart } from './path-part.js';
import { QueryParts } from './query-parts.js';
import { packageAsked, PackageBody, packageRefusals, uploadPackage } from './upload-package.js';

const { authority: _authority, slug: _slug, ...retirement } = calls.retireSkill.input.shape;
const retireBody = z.strictObject(retirement);
const currentBody = z.strictObject({ version: calls.makeCurrent.input.shape.version.describe('Null: whatever the skills directory holds, now and later.') });
const policyBody = z.strictObject({ policy: calls.updatePolicy.nullable().describe('Null takes the word back.') });
const fileAsked = z.strictObject({ path: calls.filePath.describe('As the version names it.') });
const Skill = () => Param('skill', new PathPart(skillSlug, 'unknown-skill'));
const Version = () => Param('version', new PathPart(calls.skillVersion, 'unknown-version'));

@ApiTags('Skills')
@Controller('api/v1')
export class SkillVersionsController {
  constructor(
    @Inject(Wire) private readonly wire: Wire,
    @Inject(SIGNER) private readonly signer: Signer,
    @Inject(HouseCalls) private readonly house: HouseCalls,
  ) {}

  @Post('skills')
  @HttpCode(201)
  @Allow('publish-skills')
  @PackageBody()
  @Operation({
    summary: 'Publishes the skills of a package, all of them or none.',
    description: 'The body is a zip, or JSON {"files":[{"path","text" or "base64"}]}. A published version never changes; it is offered at once, and from then on the API and not the skills directory says which version of the skill is.',
    query: packageAsked,
    status: 201,
    answer: calls.publishSkills.output,
    refusals: ['not-allowed', 'version-exists', 'version-retired', ...packageRefusals],
  })
  async publish(
    @Query(new QueryParts(packageAsked)) { mode }: z.output<typeof packageAsked>,
    @Req() request: Request,
    @Caller() principal: Principal,
  ): Promise<CallOutput<typeof calls.publishSkills>> {
    const artifact = await uploadPackage(this.wire, this.signer, principal, request);
    return this.house.read(calls.publishSkills, principal, { artifact, mode });
  }

  @Post('skills\\:validate')
  @HttpCode(200)
  @Allow('validate-skills')
  @PackageBody()
  @Operation({
    summary: 'Lints a package and publishes nothing.',
    description: 'The body is as for publishing. Every finding has a stable rule, its file, line and advice; a skill that could not be published is in `skills` with `usable: false`.',
    query: packageAsked,
    answer: calls.validateSkills.output,
    refusals: packageRefusals,
  })
  async validate(
    @Query(new QueryParts(packageAsked)) { mode }: z.output<typeof packageAsked>,
    @Req() request: Request,
    @Caller() principal: Principal,
  ): Promise<CallOutput<typeof calls.validateSkills>> {
    const artifact = await uploadPackage(this.wire, this.signer, principal, request);
    return this.house.read(calls.validateSkills, principal, { artifact, mode });
  }

  @Get('skills/:skill/versions')
  @Allow('read-versions')
  @Operation({ summary: 'Every version of a skill, newest first: where it came from, whether it is offered, whether and why it was retired.', answer: calls.listVersions.output, refusals: ['not-allowed', 'unknown-skill'] })
  async list(@Skill() slug: string, @Caller() principal: Principal): Promise<CallOutput<typeof calls.listVersions>> {
    return this.house.read(calls.listVersions, principal, { slug });
  }

  @Get('skills/:skill/versions/:version')
  @Allow('read-versions')
  @Operation({ summary: 'One version: its instructions, its requirements, the names of its files.', answer: calls.readVersion.output, refusals: ['not-allowed', 'unknown-skill', 'unknown-version'] })
  async read(@Skill() slug: string, @Version() version: string, @Caller() principal: Principal): Promise<CallOutput<typeof calls.readVersion>> {
    return this.house.read(calls.readVersion, principal, { slug, version });
  }

  @Get('skills/:skill/versions/:version/file')
  @Allow('read-versions')
  @ApiProduces('application/octet-stream')
  @Operation({ summary: 'The bytes of one file of a version.', query: fileAsked, refusals: ['not-allowed', 'unknown-skill', 'unknown-version', 'unknown-file', 'invalid-query'] })
  async file(
    @Skill() slug: string,
    @Version() version: string,
    @Query(new QueryParts(fileAsked)) { path }: z.infer<typeof fileAsked>,
    @Caller() principal: Principal,
    @Res() response: Response,
  ): Promise<void> {
    const pieces: Buffer[] = [];
    for (let offset: number | null = 0; offset !== null; ) {
      const piece: CallOutput<typeof calls.readVersionFile> = await this.house.read(calls.readVersionFile, principal, { slug, version, path, offset });
      pieces.push(Buffer.from(piece.base64, 'base64'));
      offset = piece.next;
    }
    // Somebody else wrote it: a browser saves it and shows nothing of it.
    response.setHeader('content-type', 'application/octet-stream').setHeader('content-disposition', 'attachment').setHeader('x-content-type-options', 'nosniff');
    response.end(Buffer.concat(pieces));
  }

  @Post('skills/:skill/retire')
  @HttpCode(200)
  @Allow('retire-skill')
  @Operation({
    summary: 'Takes a version out of use for good, the offered one unless another is named.',
    description: 'It is neither listed nor loaded any more. Chats that pinned it keep it, unless the update policy of the skill is `force`.',
    body: retireBody,
    answer: calls.retireSkill.output,
    refusals: ['not-allowed', 'unknown-skill', 'unknown-version', 'version-retired', 'invalid-body'],
  })
  async retire(@Skill() slug: string, @Req() request: Request, @Caller() principal: Principal): Promise<CallOutput<typeof calls.retireSkill>> {
    return this.house.read(calls.retireSkill, principal, { slug, ...(await readJson(request, retireBody, 'invalid-body')) });
  }

  @Put('skills/:skill/current')
  @Allow('make-current')
  @Operation({
    summary: 'Offers another version from now on, such as an older one: a way back.',
    body: currentBody,
    answer: calls.makeCurrent.output,
    refusals: ['not-allowed', 'unknown-skill', 'unknown-version', 'version-retired', 'invalid-body'],
  })
  async current(@Skill() slug: string, @Req() request: Request, @Caller() principal: Principal): Promise<CallOutput<typeof calls.makeCurrent>> {
    return this.house.read(calls.makeCurrent, principal, { slug, ...(await readJson(request, currentBody, 'invalid-body')) });
  }

  @Put('skills/:skill/update-policy')
  @Allow('set-update-policy')
  @Operation({
    summary: 'What chats that hold an older version do about a newer one: keep theirs (`pin`), take it with the next turn, or with the next step (`force`).',
    body: policyBody,
    answer: calls.setUpdatePolicy.output,
    refusals: ['not-allowed', 'unknown-skill', 'invalid-body'],
  })
  async policy(@Skill() slug: string, @Req() request: Request, @Caller() principal: Principal): Promise<CallOutput<typeof calls.setUpdatePolicy>> {
    return this.house.read(calls.setUpdatePolicy, principal, { slug, ...(await readJson(request, policyBody, 'invalid-body')) });
  }

  @Put('accounts/:account/update-policies/:skill')
  @Allow('set-account-update-policy')
  @Operation({
    summary: 'The same for the chats of one account, whose word goes before the operator\'s.',
    body: policyBody,
    answer: calls.setUpdatePolicy.output,
    refusals: ['not-allowed', 'unknown-account', 'unknown-skill', 'invalid-body'],
  })
  async accountPolicy(@AccountId() account: string, @Skill() slug: string, @Req() request: Request, @Caller() principal: Principal): Promise<CallOutput<typeof calls.setUpdatePolicy>> {
    return this.house.read(calls.setUpdatePolicy, principal, { account, slug, ...(await readJson(request, policyBody, 'invalid-body')) });
  }
}
