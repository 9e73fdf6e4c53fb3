import { randomUUID } from 'node:crypto';
import type { beginArtifact } from '@skillgate/contracts/calls/artifacts';
import type { CallAnswer, CallParsedInput } from '@skillgate/contracts/define-call';
import { checkNew, cleanName } from './artifact.js';
import type { Room } from './room.js';

/** Opens an artifact for its pieces. Refusals: `bad-authority`, `artifact-too-large`, `invalid-media-type`. */
export async function begin(
  { store, authorities }: Room,
  input: CallParsedInput<typeof beginArtifact>,
  caller: string | undefined,
): Promise<CallAnswer<typeof beginArtifact>> {
  const { account, user, chat, turn } = await authorities.of(input.authority, caller);
  const { mime, bytes, sha256 } = input;
  checkNew({ bytes, mime });
  const id = `art_${randomUUID().replaceAll('-', '')}`;
  await store.insert({
    id,
    account,
    user,
    chat,
    turn,
    madeBy: caller!,
    name: cleanName(input.name),
    mime,
    bytes,
    sha256,
    createdAt: new Date(),
  });
  return { id };
}
