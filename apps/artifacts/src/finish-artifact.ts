import { createHash } from 'node:crypto';
import type { finishArtifact } from '@skillgate/contracts/calls/artifacts';
import type { CallAnswer, CallParsedInput } from '@skillgate/contracts/define-call';
import { refuse } from '@skillgate/contracts/refusal';
import { pieceCount, pieceLength, pieceName, refOf, type Artifact } from './artifact.js';
import { findOwn, type Room } from './room.js';

/**
 * Reads back what was stored, checks it against the promised size and digest, and makes the artifact visible. May be
 * repeated. Refusals: `bad-authority`, `unknown-artifact`, `artifact-incomplete`, `digest-mismatch`.
 */
export async function finish(
  room: Room,
  { authority, id }: CallParsedInput<typeof finishArtifact>,
  caller: string | undefined,
  signal: AbortSignal,
): Promise<CallAnswer<typeof finishArtifact>> {
  const owner = await room.authorities.of(authority, caller);
  const artifact = await findOwn(room, owner, id);
  if (artifact.status === 'ready') return refOf(artifact);
  const sha256 = await digestOf(room, artifact, signal);
  if (sha256 !== artifact.sha256) {
    throw refuse('digest-mismatch', `The pieces of ${id} do not add up to the promised SHA-256. Send them again, or begin anew.`);
  }
  await room.store.move(owner.account, id, 'open', 'ready');
  // Whoever moved it, this call, a repetition beside it, or the sweep, the row now says what it is.
  return refOf(await findOwn(room, owner, id));
}

async function digestOf({ bucket }: Room, artifact: Artifact, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  for (let index = 0; index < pieceCount(artifact.bytes); index++) {
    signal.throwIfAborted();
    const piece = await bucket.get(pieceName(artifact, index));
    if (piece?.length !== pieceLength(artifact.bytes, index)) {
      throw refuse('artifact-incomplete', `Piece ${index} of ${artifact.id} is missing. Send it, then finish again.`);
    }
    hash.update(piece);
  }
  return hash.digest('hex');
}
