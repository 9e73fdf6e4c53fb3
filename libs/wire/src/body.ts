import { breach, HouseError } from '@skillgate/contracts/refusal';
import { isWireError, schemaProblems } from './wire-errors.js';
import type { z } from 'zod';

/** Largest body of a message in bytes, both ways. Bigger things are artifacts and travel by reference. */
export const maxMessageBytes = 256 * 1024;

/** UTF-8 JSON of `value`. @throws a breach with `tooLarge` as its slug, or `unserialisable` */
export const encodeBody = (value: unknown, what: string, tooLarge: TooLarge): Uint8Array => Buffer.from(encodeText(value, what, tooLarge));

type TooLarge = 'message-too-large' | 'reply-too-large';

/** JSON of `value` that fits a message as UTF-8. @throws as `encodeBody` */
export function encodeText(value: unknown, what: string, tooLarge: TooLarge): string {
  let text: string | undefined;
  try {
    text = JSON.stringify(value);
    if (text === undefined) throw new TypeError('it has no JSON form');
  } catch (cause) {
    throw new HouseError({ kind: 'breach', slug: 'unserialisable', message: `${what} is no JSON: ${(cause as Error).message}` }, { cause });
  }
  const bytes = Buffer.byteLength(text);
  if (bytes > maxMessageBytes) {
    throw breach(tooLarge, `${what} has ${bytes} bytes; at most ${maxMessageBytes} ride a message. Store it as an artifact and send its reference`);
  }
  return text;
}

/** Parses a body once and checks it. @throws a breach with `slug` that says what is wrong with `what` */
export function decodeBody<S extends z.ZodType>(data: Uint8Array, schema: S, what: string, slug: string, isExact?: IsExact): z.output<S> {
  const value = parseJson(data, what, slug);
  return isExact?.(value) ? (value as z.output<S>) : checkBody(value, schema, what, slug);
}

/** A quick test for values that the schema would give back as they are; it may deny others of them, and admits nothing else. */
export type IsExact = (value: unknown) => boolean;

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
