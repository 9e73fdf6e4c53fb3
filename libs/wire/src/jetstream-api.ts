import type { ApiError } from '@nats-io/jetstream';
import { breach, type HouseError, isHouseError, unavailable } from '@skillgate/contracts/refusal';
import type { Requests } from './requests.js';

export type { ApiError };

/** Milliseconds in which JetStream answers or is unavailable. */
export const apiMs = 5_000;

/** JetStream's `err_code`s that mean something to us: server/errors.json of nats-server. */
export const apiCodes = {
  messageNotFound: 10037,
  /** The description says why. */
  messageNotDeleted: 10057,
  consumerNotFound: 10014,
  streamNotFound: 10059,
  /** The description says why: a full stream, a full disk. */
  notStored: 10077,
  outOfStorage: 10047,
  wrongStream: 10060,
} as const;

export type Answer<T> = { readonly ok: T; readonly error?: undefined } | { readonly ok?: undefined; readonly error: ApiError };

/** One request to `$JS.API`. @throws Unavailable when nothing answers, a breach when the user may not ask */
export async function askJetStream<T>(requests: Requests, operation: string, body: object | null): Promise<Answer<T>> {
  const bytes = body === null ? new Uint8Array(0) : Buffer.from(JSON.stringify(body));
  return readAnswer<T>(await explainSilence(requests.ask(`$JS.API.${operation}`, bytes, undefined, apiMs)));
}

export function readAnswer<T>(reply: Uint8Array): Answer<T> {
  const answer = JSON.parse(Buffer.from(reply.buffer, reply.byteOffset, reply.byteLength).toString('utf8')) as T & { error?: ApiError };
  return answer.error ? { error: answer.error } : { ok: answer };
}

/** What a caller does with an answer that it did not expect. `what` begins the sentence. */
export function unexpected(what: string, { code, err_code, description }: ApiError): HouseError {
  if (code >= 500) return unavailable('jetstream-failed', `${what} failed: ${description} (${err_code}). Check the NATS server; it is tried again`);
  return breach('jetstream-refused', `${what} was refused: ${description} (${err_code})`);
}

async function explainSilence(reply: Promise<Uint8Array>): Promise<Uint8Array> {
  try {
    return await reply;
  } catch (error) {
    if (!isHouseError(error) || error.slug !== 'no-responder') throw error;
    throw unavailable('jetstream-off', 'No JetStream answers. Start nats-server with the generated configuration, which has it on');
  }
}
