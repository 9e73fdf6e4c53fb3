import type { listArtifacts, readPiece, statArtifact } from '@skillgate/contracts/calls/artifacts';
import type { CallAnswer, CallParsedInput } from '@skillgate/contracts/define-call';
import { refuse, unavailable } from '@skillgate/contracts/refusal';
import { pieceCount, pieceLength, pieceName, refOf } from './artifact.js';
import { findReady, type Room } from './room.js';

/** Refusals: `bad-authority`, `unknown-artifact`, `artifact-incomplete`. */
export async function stat(
  room: Room,
  { authority, id }: CallParsedInput<typeof statArtifact>,
  caller: string | undefined,
): Promise<CallAnswer<typeof statArtifact>> {
  const owner = await room.authorities.of(authority, caller);
  const artifact = await findReady(room, owner, id);
  return { ...refOf(artifact), sha256: artifact.sha256, pieces: pieceCount(artifact.bytes) };
}

/** Refusals: those of `stat` and `invalid-piece`; Unavailable `piece-lost` when the bucket has less than the row promises. */
export async function read(
  room: Room,
  { authority, id, index }: CallParsedInput<typeof readPiece>,
  caller: string | undefined,
): Promise<CallAnswer<typeof readPiece>> {
  const owner = await room.authorities.of(authority, caller);
  const artifact = await findReady(room, owner, id);
  if (index >= pieceCount(artifact.bytes))
    throw refuse('invalid-piece', `Artifact ${id} has ${pieceCount(artifact.bytes)} pieces, so there is no piece ${index}.`);
  const piece = await room.bucket.get(pieceName(artifact, index));
  if (piece?.length !== pieceLength(artifact.bytes, index)) {
    room.log.error({ artifact: id, index }, 'a piece of a finished artifact is not in the bucket; restore it, or delete the artifact');
    throw unavailable('piece-lost', `Piece ${index} of ${id} cannot be read now. Try again, or upload the file anew.`);
  }
  return { base64: Buffer.from(piece).toString('base64') };
}

/** Finished ones, newest first. Refusal: `bad-authority`. */
export async function list(
  room: Room,
  { authority, limit }: CallParsedInput<typeof listArtifacts>,
  caller: string | undefined,
): Promise<CallAnswer<typeof listArtifacts>> {
  const owner = await room.authorities.of(authority, caller);
  const artifacts = await room.store.list(owner, limit);
  return { artifacts: artifacts.map((artifact) => ({ ...refOf(artifact), createdAt: artifact.createdAt.toISOString() })) };
}
