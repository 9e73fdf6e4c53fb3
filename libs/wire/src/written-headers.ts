import { InvalidArgumentError, type MsgHdrs } from '@nats-io/transport-node';

const name = /^[\w!#$%&'*+.^`|~-]+$/; // a token of RFC 9110
const lineBreak = /[\r\n]/;

/**
 * Headers that are sent and never looked at: nats.js looks for each name among those before it each time one is set, which
 * costs more than the rest of a publish. Nothing but `encode` works.
 *
 * @throws InvalidArgumentError for what cannot stand in a header, as nats.js does
 */
export function writtenHeaders(all: readonly (readonly [name: string, value: string])[]): MsgHdrs {
  let text = 'NATS/1.0\r\n';
  for (const [key, value] of all) {
    if (!name.test(key)) throw new InvalidArgumentError(`'${key}' is not a valid header name`);
    if (lineBreak.test(value)) throw new InvalidArgumentError(`header '${key}' has a line break`);
    text += `${key}: ${value}\r\n`;
  }
  const bytes = Buffer.from(`${text}\r\n`);
  return { encode: () => bytes } as Pick<MsgHdrs & { encode(): Uint8Array }, 'encode'> as unknown as MsgHdrs;
}
