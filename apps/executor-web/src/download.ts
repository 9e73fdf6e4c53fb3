import { isHouseError, refuse, unavailable } from '@skillgate/contracts/refusal';
import { Agent, type Dispatcher, request } from 'undici';
import { checkAddress, guardedLookup, type Reach } from './reach.js';

export interface Download {
  bytes: Buffer;
  /** Where it came from in the end. */
  url: URL;
}

export interface DownloadLimits {
  /** Bytes of the body. */
  bytes: number;
  /** Milliseconds, from the first lookup to the last byte, over all hops. */
  ms: number;
}

const mostHops = 5; // beside the first; browsers take twenty, and no image needs them
const connectMs = 5_000;

/**
 * Fetches what stands at an address of the public web. Each hop of a redirect is checked like the first address, no proxy looks anything up for
 * us, and nothing of one call (connections, cookies, referrers) is left for another.
 *
 * @throws refusals `invalid-address`, `address-not-public`, `not-found-there`, `too-large`, `too-many-redirects`; unavailable `unreachable`
 */
export async function download(address: string, reach: Reach, limits: DownloadLimits, signal: AbortSignal): Promise<Download> {
  const late = AbortSignal.timeout(limits.ms);
  const stop = AbortSignal.any([signal, late]);
  const dispatcher = new Agent({ connect: { lookup: guardedLookup(reach), timeout: connectMs }, headersTimeout: limits.ms, bodyTimeout: limits.ms });
  try {
    let url = checkAddress(address, reach);
    for (let hop = 0; hop <= mostHops; hop++) {
      const answer = await request(url, { dispatcher, signal: stop, headers });
      const location = answer.statusCode >= 300 && answer.statusCode < 400 ? answer.headers.location : undefined;
      if (typeof location !== 'string') return { bytes: await bodyOf(answer, limits.bytes), url };
      answer.body.on('error', () => undefined).destroy(); // nobody reads what stands beside a redirect
      url = checkAddress(location, reach, url);
    }
    throw refuse('too-many-redirects', `The address leads on and on, more than ${mostHops} times. Ask the user to attach the image.`);
  } catch (error) {
    throw told(error, late.aborted && !signal.aborted, limits);
  } finally {
    await dispatcher.destroy().catch(() => undefined);
  }
}

const headers = { accept: 'image/png, image/jpeg, image/gif, image/webp', 'accept-encoding': 'identity', 'user-agent': 'Skillgate (fetch_image)' };

async function bodyOf({ statusCode, headers: said, body }: Dispatcher.ResponseData, most: number): Promise<Buffer> {
  const tooLarge = () => refuse('too-large', `What stands there has more than ${most} bytes. Ask the user for a smaller image.`, { limitBytes: most });
  const parts: Buffer[] = [];
  let bytes = 0;
  body.on('error', () => undefined); // told by the loop below, or wanted
  try {
    if (statusCode < 200 || statusCode > 299) throw refuse('not-found-there', `The server answered ${statusCode} instead of an image. Check the address, or ask the user to attach the image.`);
    if (Number(said['content-length'] ?? 0) > most) throw tooLarge();
    for await (const part of body as AsyncIterable<Buffer>) {
      bytes += part.length; // whatever length was promised
      if (bytes > most) throw tooLarge();
      parts.push(part);
    }
    return Buffer.concat(parts);
  } finally {
    body.destroy();
  }
}

/** What libraries say of a failed connection names addresses and ports; the model needs none of them. */
function told(error: unknown, tooLate: boolean, { ms }: DownloadLimits): unknown {
  if (isHouseError(error)) return error;
  const cause = causeOf(error);
  if (cause) return cause;
  if (tooLate) return unavailable('unreachable', `The server did not send the image within ${ms / 1000} seconds. Try again, or ask the user to attach it.`);
  return unavailable('unreachable', 'The server of this address could not be reached, or broke the answer off. Check the address, or ask the user to attach the image.');
}

/** A refused lookup comes out of the connection as what made it fail. */
function causeOf(error: unknown): Error | undefined {
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    if (isHouseError(at)) return at;
    const inner = at instanceof AggregateError ? at.errors.find(isHouseError) : undefined;
    if (inner) return inner;
  }
  return undefined;
}
