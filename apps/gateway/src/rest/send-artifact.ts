import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { readPiece, statArtifact } from '@skillgate/contracts/calls/artifacts';
import type { Wire } from '@skillgate/wire/wire';
import type { Response } from 'express';

/**
 * Sends an artifact's bytes piece by piece, as fast as the client reads. They come from users and tools, so a browser
 * may save them but neither guess their type nor run them here. Refusals: those of `stat`.
 */
export async function sendArtifact(wire: Pick<Wire, 'call'>, authority: string, id: string, response: Response): Promise<void> {
  const about = await wire.call(statArtifact, { authority, id });
  response.attachment(about.name);
  response.setHeader('content-type', about.mime);
  response.setHeader('content-length', String(about.bytes));
  response.setHeader('etag', `"${about.sha256}"`);
  response.setHeader('x-content-type-options', 'nosniff');
  response.setHeader('content-security-policy', "default-src 'none'; sandbox");
  response.setHeader('cache-control', 'private, no-cache');
  await pipeline(Readable.from(pieces()), response);

  async function* pieces(): AsyncGenerator<Buffer> {
    for (let index = 0; index < about.pieces; index++) {
      const { base64 } = await wire.call(readPiece, { authority, id, index });
      yield Buffer.from(base64, 'base64');
    }
  }
}
