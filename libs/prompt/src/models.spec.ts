import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { loadModels, modelEntry, modelsFile } from './models.js';

const shipped = loadModels(readFileSync(modelsFile, 'utf8'));
const traits = `contextTokens: 1000
    maxOutputTokens: 100
    usesTools: true
    parallelCalls: false
    instructions: tool-result
    plan: expand
    cacheKey: false
    prices: null`;

describe('modelEntry', () => {
  it('gives an unknown model the careful default', () => {
    expect(modelEntry(shipped, 'somebody/new-model')).toEqual({
      id: 'somebody/new-model',
      contextTokens: 32_768,
      maxOutputTokens: 4_096,
      usesTools: true,
      parallelCalls: false,
      instructions: 'tool-result',
      plan: 'expand',
      cacheKey: false,
      prices: null,
    });
  });

  it('knows the models of the shipped file by id and by pattern', () => {
    expect(modelEntry(shipped, 'skillgate-offline')).toMatchObject({ plan: 'dispatch', instructions: 'system-message' });
    expect(modelEntry(shipped, 'gpt-4.1-mini')).toMatchObject({ id: 'gpt-4.1-mini', contextTokens: 1_047_576, cacheKey: true });
    expect(modelEntry(shipped, 'Qwen/Qwen3-8B')).toMatchObject({ id: 'Qwen/Qwen3-8B', instructions: 'tool-result', parallelCalls: true });
  });

  it('prefers an id to a pattern and the first pattern to the second', () => {
    const models = loadModels(`models:
  - match: 'a*'
    ${traits}
  - match: 'ab*'
    ${traits.replace('1000', '2000')}
  - id: abc
    ${traits.replace('1000', '3000')}`);
    expect(['abc', 'abd', 'ABD'].map((id) => modelEntry(models, id).contextTokens)).toEqual([3000, 1000, 1000]);
  });

  it('takes every character but the star for itself', () => {
    const models = loadModels(`models:\n  - match: 'v1.0(x)*'\n    ${traits}`);
    expect(['v1.0(x)-big', 'v1-0(x)-big', 'my-v1.0(x)'].map((id) => modelEntry(models, id).contextTokens)).toEqual([1000, 32_768, 32_768]);
  });

  it('finds no model among the properties of every object', () => {
    expect(modelEntry(shipped, '__proto__')).toMatchObject({ id: '__proto__', plan: 'expand' });
  });
});

describe('a models file that is wrong', () => {
  it.each([
    ['no list', 'models: 3', 'the top'],
    ['a missing trait', `models:\n  - id: x\n    ${traits.replace('cacheKey: false', '')}`, 'x: cacheKey'],
    ['an unknown trait', `models:\n  - id: x\n    ${traits}\n    colour: red`, 'x: entry'],
    ['an unknown plan', `models:\n  - match: 'x*'\n    ${traits.replace('expand', 'explode')}`, 'x*: plan'],
    [
      'a negative price',
      `models:\n  - id: x\n    ${traits.replace('null', '{ input: -1, cachedInput: 0, output: 0 }')}`,
      'x: prices.input',
    ],
    ['one id twice', `models:\n  - id: x\n    ${traits}\n  - id: x\n    ${traits}`, 'names "x" twice'],
    ['broken YAML', 'models: [', 'not valid YAML'],
    ['nothing', '', 'the top'],
  ])('says where: %s', (_what, yaml, place) => {
    expect(() => loadModels(yaml)).toThrow(place);
  });
});
