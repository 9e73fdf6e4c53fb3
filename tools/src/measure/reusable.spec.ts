import { describe, expect, it } from '@jest/globals';
import { measureReusable } from './reusable.js';

const words = 'Every word of this sentence weighs about one token of the whole.';
const system = { role: 'system', content: words };
const user = { role: 'user', content: 'And this one is new.' };
const tool = (name: string) => ({ type: 'function', function: { name } });
const bodyOf = (tools: object[] | undefined, ...messages: object[]) => JSON.stringify({ model: 'm', ...(tools && { tools }), messages });

describe('what a cache of prefixes could reuse', () => {
  it('is nothing of a single request', () => {
    expect(measureReusable([bodyOf(undefined, system, user)])).toEqual({ share: 0, changedBytes: 0 });
  });

  it('is all of it where the same is sent again, half of the sum', () => {
    const { share, changedBytes } = measureReusable([bodyOf([tool('a')], system), bodyOf([tool('a')], system)]);
    expect(share).toBe(0.5);
    expect(changedBytes).toBe(0);
  });

  it('changes no byte where messages are only added', () => {
    const { share, changedBytes } = measureReusable([bodyOf([tool('a')], system), bodyOf([tool('a')], system, user)]);
    expect(changedBytes).toBe(0);
    expect(share).toBeGreaterThan(0.35);
    expect(share).toBeLessThan(0.5);
  });

  it('loses every message where a tool is added, since tools stand before them', () => {
    const { share, changedBytes } = measureReusable([bodyOf([tool('a')], system), bodyOf([tool('a'), tool('b')], system)]);
    expect(changedBytes).toBe(Buffer.byteLength(`${JSON.stringify(system)}\n`) - 2); // both lines begin with {"
    expect(share).toBeLessThan(0.3);
  });

  it('counts bytes, not characters, and finds the longest of all earlier requests', () => {
    const other = { role: 'user', content: 'Ünrelated €' };
    const requests = [bodyOf(undefined, system, user), bodyOf(undefined, other), bodyOf(undefined, system, user)];
    const { share, changedBytes } = measureReusable(requests);
    expect(share).toBeGreaterThan(0.35);
    expect(changedBytes).toBeGreaterThan(0);
  });

  it('looks at nothing but tools and messages', () => {
    const one = JSON.stringify({ model: 'm', messages: [system], temperature: 0 });
    expect(measureReusable([one, one.replace('"m"', '"n"').replace(':0', ':1')]).changedBytes).toBe(0);
  });

  it('does not guess at bytes that it cannot know', () => {
    expect(() => measureReusable(['{ "messages": [] }'])).toThrow('not those of its JSON');
  });
});
