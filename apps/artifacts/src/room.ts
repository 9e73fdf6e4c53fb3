import { refuse } from '@skillgate/contracts/refusal';
import type { Log } from '@skillgate/service-kit/log';
import type { Bucket } from '@skillgate/wire/bucket';
import type { Artifact } from './artifact.js';
import type { ArtifactStore, Owner } from './artifact-store.js';
import type { Authorities } from './authority.js';

/** What the use cases of this service work with. */
export interface Room {
  store: ArtifactStore;
  bucket: Bucket;
  authorities: Authorities;
  log: Log;
}

export const ROOM = Symbol('artifacts.room');

/** Refusal: `unknown-artifact`, also for that of another account or of another user: nobody learns that it exists. */
export async function findOwn({ store }: Room, owner: Owner, id: string): Promise<Artifact> {
  const artifact = await store.find(owner, id);
  if (!artifact) throw refuse('unknown-artifact', `There is no artifact ${id} here. List the artifacts, or upload it again.`);
  return artifact;
}

/** Refusals: `unknown-artifact`, `artifact-incomplete`. */
export async function findReady(room: Room, owner: Owner, id: string): Promise<Artifact> {
  const artifact = await findOwn(room, owner, id);
  if (artifact.status !== 'ready')
    throw refuse('artifact-incomplete', `Artifact ${id} is not finished yet. Send its last pieces and finish it.`);
  return artifact;
}
