import { createHash, randomUUID } from 'node:crypto';
import { open, unlink, type FileHandle } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beginArtifact, finishArtifact, maxArtifactBytes, pieceBytes, writePiece } from '@skillgate/contracts/calls/artifacts';
import { refuse } from '@skillgate/contracts/refusal';
import type { ArtifactRef } from '@skillgate/contracts/tool-call';
import type { Wire } from '@skillgate/wire/wire';
import { bodyChunks } from '../read-body.js';

export interface Upload {
  name: string;
  /** Media type, as in RFC 6838. */
  mime: string;
}

/**
 * Stores a request's raw body as an artifact. Size and digest come before the first piece, so the body rests in a
 * nameless temporary file meanwhile: memory holds one piece, whatever the size. Refusals: `artifact-too-large` and
 * those of the artifacts calls, `invalid-media-type` among them.
 */
export async function receiveUpload(
  wire: Pick<Wire, 'call'>,
  authority: string,
  request: IncomingMessage,
  upload: Upload,
): Promise<ArtifactRef> {
  // The wire would call it a breach of ours. What it must read like is for artifacts to say.
  if (!beginArtifact.input.shape.mime.safeParse(upload.mime).success) {
    throw refuse('invalid-media-type', 'The header content-type must read like text/markdown or application/pdf, or be left out.');
  }
  const file = await namelessFile();
  try {
    const { bytes, sha256 } = await spool(request, file);
    const { id } = await wire.call(beginArtifact, { authority, ...upload, bytes, sha256 });
    const piece = Buffer.allocUnsafe(pieceBytes);
    for (let index = 0; index * pieceBytes < bytes; index++) {
      const length = Math.min(pieceBytes, bytes - index * pieceBytes);
      await file.read(piece, 0, length, index * pieceBytes);
      await wire.call(writePiece, { authority, id, index, base64: piece.toString('base64', 0, length) });
    }
    return await wire.call(finishArtifact, { authority, id });
  } finally {
    await file.close();
  }
}

/** An open file without a name: it is gone when it is closed, also after a crash. */
async function namelessFile(): Promise<FileHandle> {
  const path = join(tmpdir(), `skillgate-upload-${randomUUID()}`);
  const file = await open(path, 'wx+', 0o600);
  await unlink(path);
  return file;
}

async function spool(request: IncomingMessage, file: FileHandle): Promise<{ bytes: number; sha256: string }> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of bodyChunks(request, maxArtifactBytes, 'artifact-too-large')) {
    hash.update(chunk);
    await file.write(chunk, 0, chunk.length, bytes);
    bytes += chunk.length;
  }
  return { bytes, sha256: hash.digest('hex') };
}
