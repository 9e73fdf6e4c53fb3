import type { IncomingMessage } from 'node:http';
import { refuse } from '@skillgate/contracts/refusal';
import type { z } from 'zod';
import { plainWords } from './errors/plain-words.js';
import { refuseIssues } from './errors/refuse-issues.js';
import { bodyChunks } from './read-body.js';

/** Bytes of a JSON body. A message on the wire holds 256 KiB; beyond that its own refusal says what to do. */
export const maxJsonBytes = 1024 * 1024;

/**
 * Reads and checks a JSON body. Refusals: `unsupported-media-type`, `body-too-large`, `malformed-json` and
 * `invalidSlug`, which names the field at fault in `details.param`.
 */
export async function readJson<S extends z.ZodType>(request: IncomingMessage, schema: S, invalidSlug: string): Promise<z.output<S>> {
  requireJsonType(request);
  return check(parseJson(await readBytes(request, maxJsonBytes)), schema, invalidSlug);
}

/** The same where no body says as much as `{}`, whatever type is named for it. */
export async function readOptionalJson<S extends z.ZodType>(request: IncomingMessage, schema: S, invalidSlug: string): Promise<z.output<S>> {
  const bytes = await readBytes(request, maxJsonBytes);
  if (bytes.length === 0) return check({}, schema, invalidSlug);
  requireJsonType(request);
  return check(parseJson(bytes), schema, invalidSlug);
}

function requireJsonType(request: IncomingMessage): void {
  const type = request.headers['content-type']?.split(';')[0]?.trim().toLowerCase();
  if (type === 'application/json') return;
  throw refuse('unsupported-media-type', 'Send the body as JSON, with the header "content-type: application/json".');
}

function check<S extends z.ZodType>(value: unknown, schema: S, invalidSlug: string): z.output<S> {
  const parsed = schema.safeParse(value, { error: plainWords });
  if (!parsed.success) throw refuseIssues(invalidSlug, parsed.error);
  return parsed.data;
}

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    throw refuse('malformed-json', `The body is not JSON: ${error instanceof Error ? error.message : 'it could not be read'}.`);
  }
}

async function readBytes(request: IncomingMessage, limit: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of bodyChunks(request, limit, 'body-too-large')) chunks.push(chunk);
  return Buffer.concat(chunks);
}
