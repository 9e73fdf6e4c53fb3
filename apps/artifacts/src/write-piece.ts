import type { writePiece } from '@skillgate/contracts/calls/artifacts';
import type { CallAnswer, CallParsedInput } from '@skillgate/contracts/define-call';
import { checkPiece, pieceName } from './artifact.js';
import { findOwn, type Room } from './room.js';

/**
 * Stores one piece; the same piece may be sent again. Refusals: `bad-authority`, `unknown-artifact`, `artifact-finished`,
 * `invalid-piece`.
 */
export async function write(
  room: Room,
  { authority, id, index, base64 }: CallParsedInput<typeof writePiece>,
  caller: string | undefined,
): Promise<CallAnswer<typeof writePiece>> {
  const owner = await room.authorities.of(authority, caller);
  const artifact = await findOwn(room, owner, id);
  const bytes = Buffer.from(base64, 'base64');
  checkPiece(artifact, index, bytes.length);
  await room.bucket.put(pieceName(artifact, index), bytes);
  return {};
}
