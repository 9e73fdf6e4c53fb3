import { JetStreamApiError, jetstream, StorageType } from '@nats-io/jetstream';
import { Kvm } from '@nats-io/kv';
import type { KeyValueBucket } from '@skillgate/contracts/call-ledger-bucket';
import { guard } from './bucket.js';
import type { Connection } from './connection.js';

export interface Held {
  readonly bytes: Uint8Array;
  /** Grows with each write of the key. */
  readonly revision: number;
}

/**
 * Small values by key, written only over what the writer has seen: of several who write at the same time one gets it. Every
 * operation throws Unavailable when NATS is away, too slow or has no room; a write may have happened then, so read it back.
 */
export interface KeyValues {
  /** @returns the revision; null when the key has a value already */
  create(key: string, bytes: Uint8Array): Promise<number | null>;
  get(key: string): Promise<Held | null>;
  /** @returns the new revision; null when somebody else wrote since `revision` */
  update(key: string, bytes: Uint8Array, revision: number): Promise<number | null>;
  /** Whatever stands there: for what one writer alone says. */
  put(key: string, bytes: Uint8Array): Promise<number>;
}

/** Milliseconds; who waits for a ledger has a user waiting behind. */
const patienceMs = 5_000;

/** err_code of a write that expected another revision; nats-server names two, by how much it tells. */
const wrongRevision: ReadonlySet<number> = new Set([10071, 10164]);

/** Read from the leader: a follower's answer may be older than the write that has just been refused. */
const fromLeader = Object.freeze({ allow_direct: false });

/** Without a look at the account's figures, which a user of one bucket may not have. */
const manager = ({ nats }: Connection): Kvm => new Kvm(jetstream(nats, { checkAPI: false }));

/** Creates a bucket unless it is there. Its user is another service: see `makesKeyValues` of the edges. */
export async function makeKeyValues(connection: Connection, { name, maxAgeMs, maxBytes, maxValueBytes }: KeyValueBucket): Promise<void> {
  const options = { ttl: maxAgeMs, max_bytes: maxBytes, maxValueSize: maxValueBytes, storage: StorageType.File, history: 1, ...fromLeader };
  await guard(connection, name, () => manager(connection).create(name, options), patienceMs);
}

/** Opens a bucket that this service uses by its edges; while nobody has made it, every operation throws Unavailable. */
export async function openKeyValues(connection: Connection, { name }: KeyValueBucket): Promise<KeyValues> {
  const guarded = <T>(act: () => Promise<T>) => guard(connection, name, act, patienceMs);
  // A copy: the library notes in its options that the bucket is only opened, and would then make none by them.
  const store = await guarded(() => manager(connection).open(name, { ...fromLeader }));
  const unlessTaken = (write: () => Promise<number>) =>
    guarded(async () => {
      try {
        return await write();
      } catch (error) {
        if (error instanceof JetStreamApiError && wrongRevision.has(error.code)) return null;
        throw error;
      }
    });
  return {
    create: (key, bytes) => unlessTaken(() => store.create(key, bytes)),
    async get(key) {
      const found = await guarded(() => store.get(key));
      return found && found.operation === 'PUT' ? { bytes: found.value, revision: found.revision } : null;
    },
    update: (key, bytes, revision) => unlessTaken(() => store.update(key, bytes, revision)),
    put: (key, bytes) => guarded(() => store.put(key, bytes)),
  };
}
