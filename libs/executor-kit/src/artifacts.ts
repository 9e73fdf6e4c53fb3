import { createHash } from 'node:crypto';
import {
  beginArtifact,
  finishArtifact,
  maxArtifactBytes,
  pieceBytes,
  readPiece,
  statArtifact,
  writePiece,
} from '@skillgate/contracts/calls/artifacts';
import { breach, refuse } from '@skillgate/contracts/refusal';
import type { ArtifactRef } from '@skillgate/contracts/tool-call';
import type { Wire } from '@skillgate/wire/wire';
import type { ArtifactFile, ToolArtifacts } from './tool-context.js';

/** Pieces on their way at once: hides the round trip without filling the connection. */
const piecesInFlight = 4;

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/**
 * The files of the grant's account, moved in pieces of 128 KiB. The grant is the authority of every call, so a tool
 * reaches nothing that its turn may not.
 */
export const openArtifacts = (wire: Pick<Wire, 'call'>, grant: string, signal: AbortSignal): ToolArtifacts => ({
  read: (id) => readArtifact(wire, grant, id, signal),
  write: (file) => writeArtifact(wire, grant, file, signal),
});

async function readArtifact(wire: Pick<Wire, 'call'>, authority: string, id: string, signal: AbortSignal): Promise<ArtifactFile> {
  const { name, mime, bytes, sha256: expected, pieces } = await wire.call(statArtifact, { authority, id }, { signal });
  if (bytes > maxArtifactBytes)
    throw refuse('artifact-too-large', `${name} has ${bytes} bytes; tools read at most ${maxArtifactBytes}. Split the file.`);
  const parts = new Array<Buffer>(pieces);
  await forEachPiece(pieces, async (index) => {
    const { base64 } = await wire.call(readPiece, { authority, id, index }, { signal });
    parts[index] = Buffer.from(base64, 'base64');
  });
  const whole = Buffer.concat(parts);
  if (whole.length !== bytes || sha256(whole) !== expected) {
    throw breach('artifact-damaged', `artifacts sent other bytes for ${id} than its digest says`);
  }
  return { name, mime, bytes: whole };
}

async function writeArtifact(wire: Pick<Wire, 'call'>, authority: string, file: ArtifactFile, signal: AbortSignal): Promise<ArtifactRef> {
  const { name, mime, bytes } = file;
  if (bytes.length > maxArtifactBytes) {
    throw refuse(
      'artifact-too-large',
      `${name} would have ${bytes.length} bytes; the limit is ${maxArtifactBytes}. Make several smaller files.`,
    );
  }
  const { id } = await wire.call(beginArtifact, { authority, name, mime, bytes: bytes.length, sha256: sha256(bytes) }, { signal });
  await forEachPiece(Math.ceil(bytes.length / pieceBytes), async (index) => {
    const piece = bytes.subarray(index * pieceBytes, (index + 1) * pieceBytes);
    await wire.call(writePiece, { authority, id, index, base64: Buffer.from(piece).toString('base64') }, { signal });
  });
  return wire.call(finishArtifact, { authority, id }, { signal });
}

/** Runs `move` for 0 … count - 1 with a few at once; the first failure ends it. */
async function forEachPiece(count: number, move: (index: number) => Promise<void>): Promise<void> {
  let next = 0;
  let failed = false;
  const mover = async (): Promise<void> => {
    while (next < count && !failed) {
      await move(next++).catch((error: unknown) => {
        failed = true;
        throw error;
      });
    }
  };
  await Promise.all(Array.from({ length: Math.min(piecesInFlight, count) }, mover));
}
