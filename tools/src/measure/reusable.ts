import { countTokens } from '@skillgate/prompt/count-tokens';

/** What a cache of prefixes could do for the requests of one chat. */
export interface Reusable {
  /** Of all input tokens of these requests, the share (0 to 1) that stood at the beginning of an earlier one. */
  readonly share: number;
  /** Bytes of a request that the next one did not send again in their place, over all of them. */
  readonly changedBytes: number;
}

/**
 * Bodies of chat completion requests, in the order sent, byte for byte. Providers cache the beginning of what a model reads, and there
 * tools stand before messages, wherever the request has them; all else in it is no input. A cache is empty at first and forgets nothing.
 *
 * @throws Error when a body is not JSON as `JSON.stringify` writes it, since then its bytes would be known only by its author
 */
export function measureReusable(bodies: readonly string[]): Reusable {
  const inputs = bodies.map(inputOf);
  let [tokens, reused, changedBytes] = [0, 0, 0];
  inputs.forEach((input, at) => {
    const earlier = inputs.slice(0, at);
    const longest = Math.max(0, ...earlier.map((each) => commonBytes(each, input)));
    tokens += countTokens(input.toString('utf8'));
    reused += countTokens(input.subarray(0, longest).toString('utf8'));
    const before = earlier.at(-1);
    if (before) changedBytes += before.length - commonBytes(before, input);
  });
  return { share: tokens === 0 ? 0 : reused / tokens, changedBytes };
}

/** Each tool, then each message, a line of its own: what only grows at its end begins with all that it was before. */
function inputOf(body: string): Buffer {
  const request = JSON.parse(body) as { tools?: unknown[]; messages: unknown[] };
  if (JSON.stringify(request) !== body) throw new Error('the bytes of a request are not those of its JSON');
  return Buffer.from([...(request.tools ?? []), ...request.messages].map((part) => `${JSON.stringify(part)}\n`).join(''));
}

function commonBytes(one: Buffer, other: Buffer): number {
  const length = Math.min(one.length, other.length);
  for (let at = 0; at < length; at += 1) if (one[at] !== other[at]) return at;
  return length;
}
