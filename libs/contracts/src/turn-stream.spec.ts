import { describe, expect, it } from '@jest/globals';
import { isExactDelta, turnMessage } from './turn-stream.js';

const delta = { attempt: 1, n: 0, body: { type: 'delta', text: 'a' } };

describe('the quick test for deltas', () => {
  it('admits deltas, which the schema gives back as they are', () => {
    for (const each of [delta, { ...delta, attempt: 9, n: 2 ** 53 - 1 }, { ...delta, body: { type: 'delta', text: '' } }]) {
      expect(isExactDelta(each)).toBe(true);
      expect(turnMessage.parse(each)).toEqual(each);
    }
  });

  it.each([
    ['a first attempt of 0', { ...delta, attempt: 0 }],
    ['a fraction', { ...delta, n: 0.5 }],
    ['a negative number', { ...delta, n: -1 }],
    ['an unsafe number', { ...delta, n: 2 ** 53 }],
    ['text that is none', { ...delta, body: { type: 'delta', text: 1 } }],
    ['no text', { ...delta, body: { type: 'delta' } }],
    ['no body', { attempt: 1, n: 0 }],
    ['another type', { ...delta, body: { type: 'gamma', text: 'a' } }],
    ['nothing', null],
    ['a list', [1, 0, delta.body]],
  ])('denies %s, as the schema does', (_what, value) => {
    expect(isExactDelta(value)).toBe(false);
    expect(turnMessage.safeParse(value).success).toBe(false);
  });

  it.each([
    ['a field too many', { ...delta, more: 1 }],
    ['a field too many in the body', { ...delta, body: { ...delta.body, toJSON: 1 } }],
    ['an object that may write itself otherwise', Object.assign(Object.create({ toJSON: () => 1 }) as object, delta)],
  ])('leaves %s to the schema, which takes it away', (_what, value) => {
    expect(isExactDelta(value)).toBe(false);
    expect(turnMessage.parse(value)).toEqual(delta);
  });
});
