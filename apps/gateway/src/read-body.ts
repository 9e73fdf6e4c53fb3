import type { IncomingMessage } from 'node:http';
import { refuse } from '@skillgate/contracts/refusal';

/** The pieces of a body, up to `limit` bytes; a longer one is refused with `tooLargeSlug` as soon as that is known. */
export async function* bodyChunks(request: IncomingMessage, limit: number, tooLargeSlug: string): AsyncGenerator<Buffer, void, undefined> {
  const tooLarge = () =>
    refuse(tooLargeSlug, `The body is larger than ${limit} bytes, the most that this route takes.`, { limitBytes: limit });
  try {
    if (Number(request.headers['content-length'] ?? 0) > limit) throw tooLarge();
    let size = 0;
    // Leaving the loop must not destroy the request: its socket still has to carry the refusal.
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > limit) throw tooLarge();
      yield chunk;
    }
  } finally {
    request.resume(); // what nobody reads is thrown away, else the connection would be stuck behind it
  }
}
