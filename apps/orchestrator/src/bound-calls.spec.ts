import { describe, expect, it } from '@jest/globals';
import type { ChatCompletionChunk } from 'openai/resources/chat/completions';
import { boundCalls, mostArgumentCharacters, mostCalls } from './bound-calls.js';

const chunk = (calls: { name?: string; arguments?: string }[]) =>
  ({ choices: [{ index: 0, finish_reason: null, delta: { tool_calls: calls.map((each, index) => ({ index, function: each })) } }] }) as ChatCompletionChunk;

describe('the bound of an answer', () => {
  it('takes as many calls as there may be, and refuses one more', () => {
    const bound = boundCalls();
    for (let n = 0; n < mostCalls; n++) bound.take(chunk([{ name: 'a' }]));
    expect(() => bound.take(chunk([{ name: 'a' }]))).toThrow('more in one answer');
  });

  it('counts arguments over all pieces', () => {
    const bound = boundCalls();
    bound.take(chunk([{ name: 'a', arguments: 'x'.repeat(mostArgumentCharacters) }]));
    expect(() => bound.take(chunk([{ arguments: 'x' }]))).toThrow('characters of arguments');
  });

  it('lets a chunk without calls pass', () => {
    expect(() => boundCalls().take({ choices: [] } as unknown as ChatCompletionChunk)).not.toThrow();
  });
});
