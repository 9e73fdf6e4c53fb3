import { describe, expect, it } from '@jest/globals';
import { checkOptions, choiceNow, droppedOptions, optionsFor } from './request-options.js';
import { modelOf } from './spec-support/facts.js';

const plain = modelOf();
const strict = { ...plain, refuses: ['temperature', 'response_format', 'tool_choice'] as const } as typeof plain;

describe('options of a request', () => {
  it('are passed on where the model takes them, and dropped by name where it does not', () => {
    const sampling = { temperature: 1, seed: 2 };
    expect(optionsFor(sampling, plain, true)).toEqual(sampling);
    expect(optionsFor(sampling, strict, true)).toEqual({ seed: 2 });
    expect([droppedOptions(sampling, plain), droppedOptions(sampling, strict)]).toEqual([[], ['temperature']]);
  });

  it('about calls go with tools alone: providers refuse them otherwise', () => {
    expect(optionsFor({ parallel_tool_calls: false }, plain, false)).toEqual({});
    expect(optionsFor({ parallel_tool_calls: false }, plain, true)).toEqual({ parallel_tool_calls: false });
  });

  it.each([
    ['a shape of the answer', { response_format: { type: 'json_object' } }, undefined, 0],
    ['a call that must be made', {}, 'required', 0],
    ['tools where the model has none', {}, undefined, 1],
  ] as const)('refuse what cannot be left out: %s', (_what, sampling, choice, tools) => {
    const entry = { ...strict, usesTools: tools === 0 };
    expect(() => checkOptions(sampling, choice, tools, entry)).toThrow(expect.objectContaining({ slug: 'unsupported-option' }));
    expect(() => checkOptions(sampling, choice, tools, plain)).not.toThrow();
  });
});

describe('the choice of a tool', () => {
  const named = { type: 'function', function: { name: 'own' } };
  it.each([
    ['nothing, when nothing was said', undefined, [], false, undefined],
    ['none, always', 'none', ['own'], true, 'none'],
    ['any, before a call', 'required', [], false, 'required'],
    ['free, once ours was called and the client has none', 'required', [], true, 'auto'],
    ["any, until one of the client's was called", 'required', ['own'], true, 'required'],
    ["the client's that is named, until it was called", { name: 'own' }, ['own'], true, named],
  ] as const)('is %s', (_what, choice, names, called, expected) => {
    expect(choiceNow(choice, names, called)).toEqual(expected);
  });
});
