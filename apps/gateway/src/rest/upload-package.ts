import type { IncomingMessage } from 'node:http';
import { applyDecorators } from '@nestjs/common';
import { ApiBody, ApiConsumes } from '@nestjs/swagger';
import type { Principal } from '@skillgate/contracts/calls/accounts';
import type { Signer } from '@skillgate/service-kit/signing';
import type { Wire } from '@skillgate/wire/wire';
import { z } from 'zod';
import { mintTicket } from '../ticket.js';
import { receiveUpload } from './receive-upload.js';

export const packageAsked = z.strictObject({
  mode: z.enum(['strict', 'lenient']).default('strict').describe('`lenient` makes warnings of unknown fields, foreign metadata and a name that differs from its folder.'),
});

/** What such a route may answer beside its own. */
export const packageRefusals = ['skill-package-invalid', 'artifact-too-large', 'invalid-media-type', 'invalid-query'];

/** A body that is a zip, or the files of a folder as JSON. */
export const PackageBody = () =>
  applyDecorators(ApiConsumes('application/zip', 'application/json'), ApiBody({ required: true, schema: { anyOf: [{ type: 'string', format: 'binary' }, {
    type: 'object',
    required: ['files'],
    additionalProperties: false,
    properties: {
      files: {
        type: 'array',
        items: {
          type: 'object',
          required: ['path'],
          properties: { path: { type: 'string' }, text: { type: 'string' }, base64: { type: 'string', description: 'In place of `text`.' } },
        },
      },
    },
  }] } }));

/** Rests as a file of whoever uploads it, so that it stays to be seen what was published from. @returns its id */
export async function uploadPackage(wire: Pick<Wire, 'call'>, signer: Signer, principal: Principal, request: IncomingMessage): Promise<string> {
  const mime = request.headers['content-type'] ?? 'application/zip';
  const name = mime.includes('json') ? 'skill.json' : 'skill.zip';
  return (await receiveUpload(wire, await mintTicket(signer, principal), request, { name, mime })).id;
}
