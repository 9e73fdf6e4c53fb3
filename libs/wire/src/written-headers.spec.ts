import { describe, expect, it } from '@jest/globals';
import { headers, InvalidArgumentError, type MsgHdrs } from '@nats-io/transport-node';
import { writtenHeaders } from './written-headers.js';

const text = (made: MsgHdrs) => Buffer.from((made as unknown as { encode(): Uint8Array }).encode()).toString();

describe('written headers', () => {
  it('are the bytes that nats.js writes', () => {
    const all = { 'event-id': 'a', 'Nats-Msg-Id': 'b c', traceparent: '00-é' };
    const theirs = headers();
    for (const [name, value] of Object.entries(all)) theirs.set(name, value);
    expect(text(writtenHeaders(Object.entries(all)))).toBe(text(theirs));
  });

  it.each([{ 'a b': 'c' }, { 'a:b': 'c' }, { 'a\r\nb': 'c' }, { '': 'c' }, { a: 'b\nc' }, { a: 'b\rc' }] as Record<string, string>[])(
    'refuse %p, which would write another header',
    (all) => {
      expect(() => writtenHeaders(Object.entries(all))).toThrow(InvalidArgumentError);
    },
  );
});
