import { breach, HouseError } from '@skillgate/contracts/refusal';
import { isWireError, schemaProblems } from './wire-errors.js';
import type { z } from 'zod';

/** Largest body of a message in bytes, both ways. Bigger things are artifacts and travel by reference. */
export const maxMessageBytes = 256 * 1024;

/** UTF-8 JSON of `value`. @throws a breach with `tooLarge` as its slug, or `unserialisable` */
export function encodeBody(value: unknown, what: string, tooLarge: 'message-too-large' | 'reply-too-large'): Uint8Array {
  let bytes: Uint8Array;
  try {
    bytes = Buffer.from(JSON.stringify(value));
  } catch (cause) {
    throw new HouseError({ kind: 'breach', slug: 'unserialisable', message: `${what} is no JSON: ${(cause as Error).message}` }, { cause });
  }
  if (bytes.length > maxMessageBytes) {
    throw breach(
      tooLarge,
      `${what} has ${bytes.length} bytes; at most ${maxMessageBytes} ride a message. Store it as an artifact and send its reference`,
    );
  }
  return bytes;
}

/** Parses a body once and checks it. @throws a breach with `slug` that says what is wrong with `what` */
export function decodeBody<S extends z.ZodType>(data: Uint8Array, schema: S, what: string, slug: string): z.output<S> {
  return checkBody(parseJson(data, what, slug), schema, what, slug);
}

export function checkBody<S extends z.ZodType>(value: unknown, schema: S, what: string, slug: string): z.output<S> {
  const checked = schema.safeParse(value);
  if (!checked.success) throw breach(slug, `${what} breaks its contract: ${schemaProblems(checked.error)}`);
  return checked.data;
}

/** Opens `{ "ok": … }` or throws what `{ "error": … }` says. */
export function decodeReply<S extends z.ZodType>(data: Uint8Array, schema: S, callee: string, subject: string): z.output<S> {
  const what = `The answer of "${callee}" on "${subject}"`;
  const reply = parseJson(data, what, 'invalid-output') as { ok?: unknown; error?: unknown } | null;
  if (isWireError(reply?.error)) throw new HouseError(reply.error);
  return checkBody(reply?.ok, schema, what, 'invalid-output');
}

function parseJson(data: Uint8Array, what: string, slug: string): unknown {
  try {
    return JSON.parse(Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString('utf8'));
  } catch (cause) {
    throw new HouseError({ kind: 'breach', slug, message: `${what} is no JSON` }, { cause });
  }
}
