import { maxArtifactBytes, pieceBytes } from '@skillgate/contracts/calls/artifacts';
import { faultOfName, showUnseen } from '@skillgate/contracts/plain-text';
import { refuse } from '@skillgate/contracts/refusal';
import type { ArtifactRef } from '@skillgate/contracts/tool-call';

/**
 * `open` takes pieces; `ready` is whole and never changes again; `expired` was not finished in time and is being swept.
 */
export type ArtifactStatus = 'open' | 'ready' | 'expired';

/** A file that belongs to an account. */
export interface Artifact extends ArtifactRef {
  account: string;
  sha256: string;
  status: ArtifactStatus;
  createdAt: Date;
}

/** Milliseconds after which an upload that nobody finished is swept. */
export const unfinishedMs = 60 * 60 * 1000;

export const pieceCount = (bytes: number): number => Math.ceil(bytes / pieceBytes);

/** Bytes of one piece: full ones, then the rest. */
export const pieceLength = (bytes: number, index: number): number => Math.max(0, Math.min(pieceBytes, bytes - index * pieceBytes));

/** Name of a piece's object. It holds the account, so that no mistake in an id reaches another's bytes. */
export const pieceName = (artifact: Pick<Artifact, 'account' | 'id'>, index: number): string =>
  `${artifact.account}/${artifact.id}/${index}`;

export const refOf = ({ id, name, mime, bytes }: Artifact): ArtifactRef => ({ id, name, mime, bytes });

/**
 * A name that is safe as a file name and in a header, and still the user's own where it can be. Control characters break headers; path
 * separators and a leading dot choose where a file lands; directions and what nobody sees make "exe" read as "pdf".
 */
export function cleanName(name: string): string {
  const clean = showUnseen(name.normalize('NFC'), '_').replace(/[/\\]/g, '_').replace(/^\.+/, '_').trim();
  return faultOfName(clean) === undefined ? clean : 'file';
}

// RFC 9110, 8.3.1: type/subtype of tokens, then parameters of printable characters.
const mediaType = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(\s*;[\x20-\x7e]*)?$/;

/** Refusals: `artifact-too-large`, `invalid-media-type`. */
export function checkNew({ bytes, mime }: Pick<ArtifactRef, 'bytes' | 'mime'>): void {
  if (bytes > maxArtifactBytes) {
    throw refuse('artifact-too-large', `A file may have ${maxArtifactBytes} bytes at most, and this one has ${bytes}. Split it.`, {
      limitBytes: maxArtifactBytes,
    });
  }
  if (!mediaType.test(mime)) throw refuse('invalid-media-type', 'The media type must read like text/markdown or application/pdf.');
}

/** Refusals: `artifact-finished`, `invalid-piece`. */
export function checkPiece(artifact: Artifact, index: number, length: number): void {
  if (artifact.status === 'ready')
    throw refuse('artifact-finished', 'This artifact is finished and takes no more pieces. Begin a new one.');
  const count = pieceCount(artifact.bytes);
  if (index >= count)
    throw refuse('invalid-piece', `An artifact of ${artifact.bytes} bytes has ${count} pieces, so there is no piece ${index}.`);
  const expected = pieceLength(artifact.bytes, index);
  if (length !== expected) throw refuse('invalid-piece', `Piece ${index} must have ${expected} bytes, and this one has ${length}.`);
}
