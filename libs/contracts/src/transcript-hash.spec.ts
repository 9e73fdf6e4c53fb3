import { describe, expect, it } from '@jest/globals';
import type { IncomingMessage } from './calls/orchestrator.js';
import { transcriptOf, withMessage } from './transcript-hash.js';

const mine = transcriptOf('a', 'u', 'k');
const said = (message: Partial<IncomingMessage>) => withMessage(mine, { role: 'user', content: 'Hello', ...message });
const call = (text: string) => ({ role: 'assistant' as const, content: '', calls: [{ id: 'c', name: 'n', arguments: text }] });

describe('the hash of a transcript', () => {
  it.each<[string, Partial<IncomingMessage>, Partial<IncomingMessage>]>([
    ['white space at the ends', {}, { content: ' Hello\n' }],
    ['text in parts', {}, { content: [{ type: 'text', text: 'Hel' }, { type: 'text', text: 'lo' }] }],
    ['how arguments are written', call('{"a":1, "b":2}'), call('{"b":2,"a":1}')],
  ])('does not see %s', (_what, one, other) => expect(said(one)).toBe(said(other)));

  it.each<[string, Partial<IncomingMessage>, Partial<IncomingMessage>]>([
    ['another word', {}, { content: 'Hullo' }],
    ['who says it', {}, { role: 'assistant' }],
    ['which call it answers', { resultOf: 'a' }, { resultOf: 'b' }],
    ['another image', { content: [{ type: 'image_url', image_url: { url: 'a' } }] }, { content: [{ type: 'image_url', image_url: { url: 'b' } }] }],
    ['other arguments', call('{"a":1}'), call('{"a":2}')],
    ['arguments that are no JSON', call('{"a"'), call('{"b"')],
  ])('sees %s', (_what, one, other) => expect(said(one)).not.toBe(said(other)));

  it("is nobody else's, and knows the order", () => {
    expect(new Set([mine, transcriptOf('a', 'u', 'l'), transcriptOf('a', 'v', 'k'), transcriptOf('b', 'u', 'k')]).size).toBe(4);
    const [a, b] = [{ role: 'user' as const, content: 'a' }, { role: 'user' as const, content: 'b' }];
    expect(withMessage(withMessage(mine, a), b)).not.toBe(withMessage(withMessage(mine, b), a));
  });
});
