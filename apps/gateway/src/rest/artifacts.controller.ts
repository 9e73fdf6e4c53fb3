import { Controller, Get, HttpCode, Inject, Param, Post, Query, Req, Res } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiProduces, ApiQuery, ApiTags } from '@nestjs/swagger';
import type { Principal } from '@skillgate/contracts/calls/accounts';
import { listArtifacts, maxArtifactBytes } from '@skillgate/contracts/calls/artifacts';
import type { CallOutput } from '@skillgate/contracts/define-call';
import { refuse } from '@skillgate/contracts/refusal';
import { artifactRef, type ArtifactRef } from '@skillgate/contracts/tool-call';
import { artifactId } from '@skillgate/contracts/words';
import type { Signer } from '@skillgate/service-kit/signing';
import { Wire } from '@skillgate/wire/wire';
import type { Request, Response } from 'express';
import { Allow, Caller } from '../access/access-guard.js';
import { Operation } from '../openapi/operation.js';
import { mintTicket } from '../ticket.js';
import { SIGNER } from '../tokens.js';
import { PathPart } from './path-part.js';
import { receiveUpload } from './receive-upload.js';
import { sendArtifact } from './send-artifact.js';

@ApiTags('Artifacts')
@Controller('api/v1/artifacts')
@Allow('use-own')
export class ArtifactsController {
  constructor(
    @Inject(Wire) private readonly wire: Wire,
    @Inject(SIGNER) private readonly signer: Signer,
  ) {}

  @Post()
  @HttpCode(201)
  @ApiConsumes('*/*')
  @ApiBody({ schema: { type: 'string', format: 'binary' } })
  @ApiQuery({ name: 'name', schema: { type: 'string' }, required: true, description: 'File name, at most 200 characters.' })
  @Operation({
    summary: 'Uploads a file.',
    description: `The raw bytes are the body, at most ${maxArtifactBytes}; the header content-type is the media type.`,
    status: 201,
    answer: artifactRef,
    refusals: ['artifact-too-large', 'invalid-name', 'invalid-media-type'],
  })
  async upload(@Req() request: Request, @Query('name') name: unknown, @Caller() principal: Principal): Promise<ArtifactRef> {
    if (typeof name !== 'string' || name.trim() === '' || name.length > 200) {
      throw refuse('invalid-name', 'Give the file a name of at most 200 characters: POST /api/v1/artifacts?name=report.md', {
        param: 'name',
      });
    }
    const mime = request.headers['content-type'] ?? 'application/octet-stream';
    return receiveUpload(this.wire, await mintTicket(this.signer, principal), request, { name, mime });
  }

  @Get()
  @ApiQuery({ name: 'limit', schema: { type: 'integer' }, required: false, description: 'At most 200; 50 unless given.' })
  @Operation({
    summary: 'Your own files, newest first: uploaded, or made by tools in your turns.',
    answer: listArtifacts.output,
    refusals: ['invalid-limit'],
  })
  async list(@Query('limit') limit: unknown, @Caller() principal: Principal): Promise<CallOutput<typeof listArtifacts>> {
    const count = limit === undefined ? 50 : Number(limit);
    if (!Number.isInteger(count) || count < 1 || count > 200)
      throw refuse('invalid-limit', 'limit is a whole number from 1 to 200.', { param: 'limit' });
    return this.wire.call(listArtifacts, { authority: await mintTicket(this.signer, principal), limit: count });
  }

  @Get(':artifact')
  @ApiProduces('application/octet-stream')
  @Operation({ summary: 'The bytes of a file.', refusals: ['unknown-artifact', 'artifact-incomplete'] })
  async download(
    @Param('artifact', new PathPart(artifactId, 'unknown-artifact')) id: string,
    @Res() response: Response,
    @Caller() principal: Principal,
  ): Promise<void> {
    await sendArtifact(this.wire, await mintTicket(this.signer, principal), id, response);
  }
}
