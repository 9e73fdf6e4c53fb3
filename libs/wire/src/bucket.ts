import { setTimeout as pause } from 'node:timers/promises';
import { Objm, type ObjectStore, StorageType } from '@nats-io/obj';
import { PermissionViolationError } from '@nats-io/transport-node';
import { HouseError } from '@skillgate/contracts/refusal';
import type { Connection } from './connection.js';
import { notPermitted } from './wire-errors.js';

/** Bytes by name in a JetStream object store on disk. Every operation throws Unavailable when NATS is away or too slow. */
export interface Bucket {
  /** Replaces what stood under `name`. */
  put(name: string, bytes: Uint8Array): Promise<void>;
  /** `null` when nothing stands there. */
  get(name: string): Promise<Uint8Array | null>;
  /** @returns whether something stood there */
  delete(name: string): Promise<boolean>;
}

const patienceMs = 30_000; // nats.js would wait for ever for a piece that a restart swallowed

/** Opens a bucket that this service owns by its edges, and creates it when it does not exist. */
export async function openBucket(connection: Connection, name: string): Promise<Bucket> {
  const guarded = <T>(act: () => Promise<T>) => guard(connection, name, act);
  const store = await guarded(() => new Objm(connection.nats).create(name, { storage: StorageType.File }));
  return {
    put: async (object, bytes) => void (await guarded(() => store.putBlob({ name: object }, bytes))),
    get: (object) => guarded(() => read(store, object)),
    delete: async (object) => {
      const before = await guarded(() => store.info(object));
      if (before === null || before.deleted) return false;
      return (await guarded(() => store.delete(object))).success;
    },
  };
}

/** Milliseconds after which a read that goes on is begun again; each time twice as long. */
const lookAgainMs = 250;

/**
 * nats.js would wait for ever for the pieces of an object that was deleted or replaced after it was looked up. So a read that goes on is begun
 * again, and the first that ends counts.
 */
async function read(store: ObjectStore, object: string): Promise<Uint8Array | null> {
  const reads: Promise<Uint8Array | null>[] = [];
  for (let ms = lookAgainMs; ms < patienceMs; ms *= 2) {
    const reading = store.getBlob(object);
    reading.catch(() => undefined); // another one may have answered before
    reads.push(reading);
    const ended = await Promise.race([...reads, pause(ms, undefined, { ref: false })]);
    if (ended !== undefined) return ended;
  }
  return Promise.race(reads);
}

/** @throws Unavailable when the connection is lost or nothing answers in time, a breach when the broker refuses it */
export async function guard<T>(connection: Connection, bucket: string, act: () => Promise<T>, patience = patienceMs): Promise<T> {
  connection.requireUp(`bucket ${bucket}`);
  let timer: NodeJS.Timeout | undefined;
  let stop: (() => void) | undefined;
  const interrupted = new Promise<never>((_resolve, reject) => {
    stop = connection.onDown(reject);
    timer = setTimeout(() => reject(new Error(`no answer within ${patience} ms`)), patience);
  });
  const acting = act();
  acting.catch(() => undefined); // it may fail after the interruption, which was told already
  try {
    return await Promise.race([acting, interrupted]);
  } catch (error) {
    throw explain(error as Error, connection, bucket);
  } finally {
    clearTimeout(timer);
    stop?.();
  }
}

function explain(error: Error, connection: Connection, bucket: string): HouseError {
  if (error instanceof HouseError) return error;
  const denied = error instanceof PermissionViolationError ? error : error.cause;
  if (denied instanceof PermissionViolationError) {
    return notPermitted({ user: connection.user, operation: denied.operation, subject: denied.subject });
  }
  const message = `Bucket "${bucket}" did not do it: ${error.message}. Check JetStream and its disk, and try again`;
  return new HouseError({ kind: 'unavailable', slug: 'bucket-failed', message }, { cause: error });
}
