import { describe, expect, it } from '@jest/globals';
import { HouseError } from '@skillgate/contracts/refusal';
import { z } from 'zod';
import { decodeBody, decodeReply, encodeBody, maxMessageBytes } from './body.js';

const bytes = (text: string) => Buffer.from(text);
const thrown = (act: () => unknown): HouseError => {
  try {
    act();
  } catch (error) {
    if (error instanceof HouseError) return error;
  }
  throw new Error('no HouseError was thrown');
};

describe('a body', () => {
  it('names the path of what is wrong, and never the value', () => {
    const error = thrown(() => decodeBody(bytes('{"login":{"password":"swordfish","pin":"1234"}}'), z.object({ login: z.object({ password: z.number(), pin: z.enum(['a']) }) }), 'It', 'invalid-input'));
    expect(error.message).toContain('login.password');
    expect(error.message).not.toMatch(/swordfish|1234/);
  });

  it('counts bytes, not characters', () => {
    const euros = '€'.repeat(maxMessageBytes / 3); // three bytes each, and two quotes around them
    expect(thrown(() => encodeBody(euros, 'It', 'message-too-large')).slug).toBe('message-too-large');
    expect(encodeBody(euros.slice(1), 'It', 'message-too-large').length).toBeLessThanOrEqual(maxMessageBytes);
  });

  it('is JSON or a breach', () => {
    const circle: unknown[] = [];
    circle.push(circle);
    for (const value of [10n, circle, undefined]) {
      expect(thrown(() => encodeBody(value, 'It', 'reply-too-large'))).toMatchObject({ kind: 'breach', slug: 'unserialisable' });
    }
  });
});

describe('a reply', () => {
  const read = (text: string) => decodeReply(bytes(text), z.object({ n: z.number() }), 'teller', 'call.v1.teller.count');

  it('is the answer or the error that it carries', () => {
    expect(read('{"ok":{"n":1}}')).toEqual({ n: 1 });
    expect(thrown(() => read('{"error":{"kind":"unavailable","slug":"busy","message":"later","retryAfterMs":50}}'))).toMatchObject({
      kind: 'unavailable',
      slug: 'busy',
      retryAfterMs: 50,
    });
  });

  it.each(['', 'null', '7', '{}', '{"ok":{"n":"1"}}', '{"error":{"kind":"joke","slug":"x","message":"y"}}', '{"error":"no"}'])(
    'that says %j is a breach of its callee',
    (text) => {
      const error = thrown(() => read(text));
      expect(error).toMatchObject({ kind: 'breach', slug: 'invalid-output' });
      expect(error.message).toContain('"teller"');
    },
  );
});
