import type { IncomingMessage } from 'node:http';
import { BadRequest } from './protocol/bad-request.js';

/** Largest request in bytes: far above any context window that this product uses. */
export const maxBodyBytes = 16 * 1024 * 1024;

/** The body as JSON. Throws BadRequest when it is too large or not JSON. */
export async function readBody(request: IncomingMessage): Promise<unknown> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of request as AsyncIterable<Buffer>) {
    bytes += piece.length;
    // Read on to the end without keeping it: an answer sent into a half-read request is a reset to many clients.
    if (bytes <= maxBodyBytes) pieces.push(piece);
  }
  if (bytes > maxBodyBytes) throw new BadRequest(null, `is larger than ${maxBodyBytes} bytes; send less text`);
  try {
    return JSON.parse(Buffer.concat(pieces).toString('utf8')) as unknown;
  } catch (error) {
    throw new BadRequest(null, `is not JSON (${(error as Error).message})`);
  }
}
