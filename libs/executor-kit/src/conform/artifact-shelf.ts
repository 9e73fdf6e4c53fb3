import { createHash } from 'node:crypto';
import { beginArtifact, finishArtifact, pieceBytes, readPiece, statArtifact, writePiece } from '@skillgate/contracts/calls/artifacts';
import { refuse } from '@skillgate/contracts/refusal';
import type { Wire } from '@skillgate/wire/wire';

interface Shelved {
  name: string;
  mime: string;
  sha256: string;
  pieces: Buffer[];
}

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

/** The artifacts calls over the real wire, with files in memory; `authorities` are the grants that it was shown. */
export async function serveShelf(wire: Wire) {
  const files = new Map<string, Shelved>();
  const authorities = new Set<string>();
  const file = (id: string, authority: string): Shelved => {
    authorities.add(authority);
    const found = files.get(id);
    if (!found) throw refuse('unknown-artifact', `There is no artifact ${id}.`);
    return found;
  };
  const ref = (id: string, { name, mime, pieces }: Shelved) => ({ id, name, mime, bytes: Buffer.concat(pieces).length });
  const hearings = [
    wire.serve(beginArtifact, async ({ name, mime, sha256: digest }) => {
      const id = `art_${digest.slice(0, 31)}${files.size % 10}`;
      files.set(id, { name, mime, sha256: digest, pieces: [] });
      return { id };
    }),
    wire.serve(writePiece, async ({ authority, id, index, base64 }) => {
      file(id, authority).pieces[index] = Buffer.from(base64, 'base64');
      return {};
    }),
    wire.serve(finishArtifact, async ({ authority, id }) => {
      const whole = file(id, authority);
      if (sha256(Buffer.concat(whole.pieces)) !== whole.sha256)
        throw refuse('digest-mismatch', 'The bytes are not those that were announced.');
      return ref(id, whole);
    }),
    wire.serve(statArtifact, async ({ authority, id }) => {
      const whole = file(id, authority);
      return { ...ref(id, whole), sha256: whole.sha256, pieces: whole.pieces.length };
    }),
    wire.serve(readPiece, async ({ authority, id, index }) => ({
      base64: (file(id, authority).pieces[index] ?? Buffer.alloc(0)).toString('base64'),
    })),
  ];
  await Promise.all(hearings.map(({ ready }) => ready));
  return {
    files,
    authorities,
    put(id: string, name: string, bytes: Buffer): void {
      const count = Math.ceil(bytes.length / pieceBytes);
      const pieces = Array.from({ length: count }, (_, index) => bytes.subarray(index * pieceBytes, (index + 1) * pieceBytes));
      files.set(id, { name, mime: 'application/octet-stream', sha256: sha256(bytes), pieces });
    },
  };
}
