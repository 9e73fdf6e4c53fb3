import { describe, expect, it } from '@jest/globals';
import type { IncomingMessage } from '@skillgate/contracts/calls/orchestrator';
import { incomingItems } from './incoming-items.js';

const now = new Date('2026-03-01T23:59:00Z');
const facts = { kind: 'facts', text: 'Today is 2026-03-01 (UTC).' };
const user = (content: IncomingMessage['content']): IncomingMessage => ({ role: 'user', content });
const items = (messages: IncomingMessage[], attached = '') => incomingItems(messages, attached, now);

describe('a client\'s messages', () => {
  it('have the day before what the user says now', () => {
    expect(items([user('Hi')])).toEqual([facts, { kind: 'user', content: 'Hi' }]);
  });

  it('keep a transcript in its order, and the day behind it', () => {
    const transcript: IncomingMessage[] = [{ role: 'system', content: 'Be brief.' }, user('One'), { role: 'assistant', content: 'Two' }, user('Three')];
    expect(items(transcript)).toEqual([
      { kind: 'notice', text: 'Be brief.' },
      { kind: 'user', content: 'One' },
      { kind: 'assistant', text: 'Two', calls: [] },
      facts,
      { kind: 'user', content: 'Three' },
    ]);
  });

  it('may end with several of the user, which stay together', () => {
    expect(items([{ role: 'assistant', content: 'Well?' }, user('One'), user('Two')]).map(({ kind }) => kind)).toEqual(['assistant', 'facts', 'user', 'user']);
  });

  it('of system and assistant that say nothing are left out: providers refuse them', () => {
    const empty: IncomingMessage[] = [{ role: 'developer', content: ' ' }, user('One'), { role: 'assistant', content: [{ type: 'text', text: '' }] }, user('Two')];
    expect(items(empty).map(({ kind }) => kind)).toEqual(['user', 'facts', 'user']);
  });

  it('name the attached files behind the last of them, in text and beside a picture', () => {
    const picture = { type: 'image_url' as const, image_url: { url: 'https://example.com/a.png' } };
    expect(items([user('One'), user('Read')], '[Attached files]').at(-1)).toEqual({ kind: 'user', content: 'Read\n\n[Attached files]' });
    expect(items([user([picture])], '[Attached files]').at(-1)).toEqual({ kind: 'user', content: [picture, { type: 'text', text: '[Attached files]' }] });
  });

  it.each<[string, IncomingMessage[]]>([
    ['none', []],
    ['the assistant last', [user('One'), { role: 'assistant', content: 'Two' }]],
    ['a system message last', [user('One'), { role: 'system', content: 'Two' }]],
  ])('are refused with %s', (_, messages) => {
    expect(() => items(messages)).toThrow(expect.objectContaining({ slug: 'empty-conversation' }));
  });
});
