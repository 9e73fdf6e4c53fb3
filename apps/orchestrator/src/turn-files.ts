import { createHash } from 'node:crypto';
import { beginArtifact, finishArtifact, pieceBytes, readPiece, statArtifact, writePiece } from '@skillgate/contracts/calls/artifacts';
import { refuse } from '@skillgate/contracts/refusal';
import type { ArtifactRef } from '@skillgate/contracts/tool-call';
import type { TurnContext } from './turn-context.js';

export interface TurnFile {
  name: string;
  /** Media type. */
  mime: string;
  bytes: Buffer;
}

/** Milliseconds that a turn waits for a file of its own. */
const patienceMs = 15_000;
const piecesInFlight = 4;

type Turn = Pick<TurnContext, 'wire' | 'ticket' | 'signal'>;

const within = ({ signal }: Turn) => ({ signal: AbortSignal.any([signal, AbortSignal.timeout(patienceMs)]) });

/** Keeps a file for the account of the turn. @throws as the calls of artifacts; the reason of the turn's end */
export async function keepFile(turn: Turn, { name, mime, bytes }: TurnFile): Promise<ArtifactRef> {
  const [{ wire, ticket: authority }, options] = [turn, within(turn)];
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const { id } = await wire.call(beginArtifact, { authority, name, mime, bytes: bytes.length, sha256 }, options);
  await eachPiece(Math.ceil(bytes.length / pieceBytes), async (index) => {
    const piece = bytes.subarray(index * pieceBytes, (index + 1) * pieceBytes);
    await wire.call(writePiece, { authority, id, index, base64: piece.toString('base64') }, options);
  });
  return wire.call(finishArtifact, { authority, id }, options);
}

/** @throws refusal `unknown-artifact`, or `artifact-too-large` for one of more than `most` bytes */
export async function readFile(turn: Turn, id: string, most: number): Promise<TurnFile> {
  const [{ wire, ticket: authority }, options] = [turn, within(turn)];
  const { name, mime, bytes, pieces } = await wire.call(statArtifact, { authority, id }, options);
  if (bytes > most) throw refuse('artifact-too-large', `${name} has ${bytes} bytes; at most ${most} are read here.`);
  const parts = new Array<Buffer>(pieces);
  await eachPiece(pieces, async (index) => {
    parts[index] = Buffer.from((await wire.call(readPiece, { authority, id, index }, options)).base64, 'base64');
  });
  return { name, mime, bytes: Buffer.concat(parts) };
}

async function eachPiece(count: number, move: (index: number) => Promise<void>): Promise<void> {
  for (let at = 0; at < count; at += piecesInFlight) {
    await Promise.all(Array.from({ length: Math.min(piecesInFlight, count - at) }, (_, n) => move(at + n)));
  }
}
