import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { defineTool } from './define-tool.js';

const make = (input: z.ZodType | Record<string, unknown>, change: object = {}) =>
  defineTool({
    name: 'docs_echo',
    profile: 'docs',
    effect: 'read',
    description: 'Answers with its text.',
    input,
    timeoutMs: 1_000,
    execute: async (given) => given,
    ...change,
  });

describe('defineTool', () => {
  it("makes the model's schema from zod, with defaulted fields optional and no invented bounds", () => {
    const { manifest } = make(z.strictObject({ text: z.string(), times: z.number().int().default(1) }));
    expect(manifest.inputSchema).toEqual({
      type: 'object',
      properties: { text: { type: 'string' }, times: { default: 1, type: 'integer', minimum: undefined } },
      required: ['text'],
      additionalProperties: false,
    });
  });

  it.each([
    ['a choice at the root', { type: 'object', anyOf: [{ required: ['id'] }] }, '"anyOf" at the root'],
    ['a root that is no object', { type: 'array', items: {} }, '"type": "object"'],
    ['a list without items', { type: 'object', properties: { rows: { type: 'array' } } }, 'input.properties.rows has no "items"'],
    ['a maybe-list without items', { type: 'object', properties: { cell: { type: ['string', 'array'] } } }, 'input.properties.cell'],
  ])('refuses %s, which providers answer with an error for the whole request', (_what, schema, words) => {
    expect(() => make(schema)).toThrow(words);
  });

  it.each([
    ['a name with a dash', { name: 'docs-echo' }],
    ['no description', { description: '' }],
    ['a description longer than 1024 characters', { description: 'x'.repeat(1025) }],
    ['a limit over ten minutes', { timeoutMs: 600_001 }],
    ['an unknown effect', { effect: 'harmless' }],
  ])('refuses %s and names the tool', (_what, change) => {
    expect(() => make(z.strictObject({}), change)).toThrow(/^tool "docs/);
  });
});

describe("a tool's schema digest", () => {
  const digest = (change: object) => make(z.strictObject({ a: z.string() }), change).manifest.schemaDigest;

  it.each(['name', 'profile', 'description'])('changes with the %s', (field) => {
    expect(digest({ [field]: 'other' })).not.toBe(digest({}));
  });

  it('changes with the effect, so that a send cannot pass for a read', () => {
    expect(digest({ effect: 'external' })).not.toBe(digest({}));
  });

  it("stays when only the time limit or the order of the schema's keys differs", () => {
    expect(digest({ timeoutMs: 2_000 })).toBe(digest({}));
    const one = make({ type: 'object', properties: { a: { type: 'string', minLength: 1 } } });
    const two = make({ properties: { a: { minLength: 1, type: 'string' } }, type: 'object' });
    expect(two.manifest.schemaDigest).toBe(one.manifest.schemaDigest);
  });
});
