import { describe, expect, it } from '@jest/globals';
import type { RouteStep } from '@skillgate/contracts/route';
import { turnCost } from './turn-cost.js';

const prices = { input: 1, cachedInput: 0.1, output: 10 };
const monolith = { bodiesTokens: 80_000, allToolsTokens: 10_000 };
const tokens = (loaded: number, conversation: number) => ({ base: 300, catalog: 4_000, loaded, tools: 200, conversation });
const call = (change: object = {}): RouteStep => ({ kind: 'model', ms: 1, inputTokens: 4_600, outputTokens: 10, cachedTokens: 0, tokens: tokens(0, 100), usd: 0.0047, finish: 'tool_calls', ...change });
const load = (skill: string, decision = 'loaded'): RouteStep => ({ kind: 'load', ms: 1, callId: 'c', skill, version: '1.0.0', digest: null, layer: null, profiles: [], opened: [], withheld: [], decision: decision as 'loaded', reason: null });

describe('the cost of a turn', () => {
  const second = call({ inputTokens: 6_000, cachedTokens: 4_500, tokens: tokens(1_300, 200), usd: 0.00205, finish: 'stop' });

  it('is the sum of its calls, with what the provider had', () => {
    expect(turnCost([call(), load('memo'), second], prices, null)).toMatchObject({ usd: 0.00675, cachedTokens: 4_500, monolith: null });
  });

  it('stands before and after each activation', () => {
    const steps = [call(), load('memo'), load('mail', 'refused'), second, load('review'), call({ inputTokens: 8_000, usd: 0.008 }), load('late')];
    expect(turnCost(steps, prices, null)?.activations).toEqual([
      { skill: 'memo@1.0.0', before: { inputTokens: 4_600, usd: 0.0047 }, after: { inputTokens: 6_000, usd: 0.00205 } },
      { skill: 'review@1.0.0', before: { inputTokens: 6_000, usd: 0.00205 }, after: { inputTokens: 8_000, usd: 0.008 } },
    ]);
  });

  it('is set beside a prompt that holds everything in each call, which is cached where the provider caches', () => {
    const whole = turnCost([call(), load('memo'), second], prices, monolith)?.monolith;
    const [first, next] = [300 + 90_000 + 100, 300 + 90_000 + 200];
    expect(whole?.inputTokens).toBe(first + next);
    expect(whole?.usd).toBeCloseTo((first + 100 + (next - first) + first * 0.1 + 100) / 1e6, 7);
  });

  it('is counted here where the provider reports nothing', () => {
    const silent = call({ inputTokens: null, outputTokens: null, cachedTokens: null });
    const cost = turnCost([silent, load('memo'), silent], prices, monolith);
    expect(cost).toMatchObject({ usd: 0.0094, cachedTokens: null });
    expect(cost?.activations[0]?.before.inputTokens).toBe(4_600);
  });

  it.each([
    ['a model without prices', [call({ usd: null })], null],
    ['one of two models without prices', [call(), call({ usd: null })], null],
    ['a try that failed beside an answer', [call({ inputTokens: null, outputTokens: null, cachedTokens: null, usd: undefined, finish: 'model-overloaded' }), call()], 0.0047],
    ['a model without prices that reports nothing', [call({ inputTokens: null, outputTokens: null, cachedTokens: null, usd: null })], null],
  ])('of %s', (_what, steps, usd) => {
    expect(turnCost(steps, prices, null)).toMatchObject({ usd });
  });

  it('is unknown before a model has answered, and for turns of before it was counted', () => {
    expect(turnCost([], prices, monolith)).toBeNull();
    expect(turnCost([call({ usd: undefined, tokens: undefined })], prices, monolith)).toBeNull();
  });
});
