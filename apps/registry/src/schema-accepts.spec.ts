import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { schemaAccepts } from './schema-accepts.js';

const text = { type: 'string' };
const object = (properties: Record<string, unknown>, required: string[] = [], more = {}) => ({ type: 'object', properties, required, additionalProperties: false, ...more });

describe('an instance that checks against another schema than the model was shown', () => {
  it.each<[string, Record<string, unknown>, Record<string, unknown>]>([
    ['the same in another order and with other words', object({ a: { ...text, description: 'New' }, b: text }), object({ b: text, a: text })],
    ['one more optional field', object({ a: text, b: text }, ['a']), object({ a: text }, ['a'])],
    ['a field that is required no more', object({ a: text }), object({ a: text }, ['a'])],
    ['a wider type', object({ a: { type: ['string', 'null'] } }), object({ a: text })],
    ['numbers for whole numbers', object({ a: { type: 'number' } }), object({ a: { type: 'integer' } })],
    ['one more value of an enum', object({ a: { enum: ['x', 'y'] } }), object({ a: { enum: ['x'] } })],
    ['looser bounds', object({ a: { ...text, maxLength: 20 } }), object({ a: { ...text, maxLength: 10 } })],
    ['a field that a model was not shown, of an open object', { type: 'object', properties: { a: text, b: { type: 'number' } } }, { type: 'object', properties: { a: text } }],
    ['a list of wider things', object({ a: { type: 'array', items: { type: 'number' } } }), object({ a: { type: 'array', items: { type: 'integer' } } })],
    ['an equal union', object({ a: { anyOf: [text, { type: 'null' }] } }), object({ a: { anyOf: [text, { type: 'null' }] }, b: text }, [], { properties: { a: { anyOf: [text, { type: 'null' }] } } })],
    ['equal references to equal definitions', object({ a: { $ref: '#/$defs/x' }, b: text }, [], { $defs: { x: text } }), object({ a: { $ref: '#/$defs/x' } }, [], { $defs: { x: text } })],
  ])('takes %s', (_what, wide, shown) => {
    expect(schemaAccepts(wide, shown)).toBe(true);
  });

  it.each<[string, Record<string, unknown>, Record<string, unknown>]>([
    ['a field that it does not know', object({ a: text }), object({ a: text, b: text })],
    ['the lack of a field that it requires', object({ a: text }, ['a']), object({ a: text })],
    ['another type', object({ a: { type: 'number' } }), object({ a: text })],
    ['a value that it has no more', object({ a: { enum: ['x'] } }), object({ a: { enum: ['x', 'y'] } })],
    ['what is longer', object({ a: { ...text, maxLength: 10 } }), object({ a: text })],
    ['what has another pattern', object({ a: { ...text, pattern: '^a$' } }), object({ a: text })],
    ['a map where it knows every name', object({ a: object({}) }), object({ a: { type: 'object', additionalProperties: text } })],
    ['equal references to other definitions', object({ a: { $ref: '#/$defs/x' }, b: text }, [], { $defs: { x: { type: 'number' } } }), object({ a: { $ref: '#/$defs/x' } }, [], { $defs: { x: text } })],
  ])('does not take %s', (_what, wide, shown) => {
    expect(schemaAccepts(wide, shown)).toBe(false);
  });

  it('never refuses what it was said to take', () => {
    const ajv = new Ajv2020({ strict: false, logger: false });
    const leaf = fc.oneof(fc.constantFrom<object>(text, { type: 'integer' }, { type: 'number' }, { type: ['string', 'null'] }, { enum: ['x', 1] }, { const: 'x' }, {}), fc.record({ type: fc.constant('string'), minLength: fc.nat(2), maxLength: fc.integer({ min: 2, max: 4 }) }));
    const { schema } = fc.letrec<{ schema: object }>((tie) => ({
      schema: fc.oneof({ maxDepth: 3 }, leaf, fc.record({ type: fc.constant('object'), properties: fc.dictionary(fc.constantFrom('a', 'b'), tie('schema')), required: fc.subarray(['a', 'b']), additionalProperties: fc.constantFrom<unknown>(false, text) }, { requiredKeys: ['type', 'properties', 'additionalProperties'] }), fc.record({ type: fc.constant('array'), items: tie('schema') })),
    }));
    const value = fc.letrec<{ value: unknown }>((tie) => ({
      value: fc.oneof({ maxDepth: 3 }, fc.constantFrom<unknown>('x', '', 'long text', 1, 1.5, null, {}), fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('value')), fc.array(tie('value'), { maxLength: 2 })),
    })).value;
    let taken = 0;
    fc.assert(
      fc.property(schema, schema, fc.array(value, { minLength: 10, maxLength: 20 }), (wide, shown, values) => {
        if (!schemaAccepts(wide as Record<string, unknown>, shown as Record<string, unknown>)) return;
        taken += 1;
        const [fitsWide, fitsShown] = [ajv.compile(wide), ajv.compile(shown)];
        for (const one of values) if (fitsShown(one)) expect([one, fitsWide(one)]).toEqual([one, true]);
      }),
      { numRuns: 1500 },
    );
    expect(taken).toBeGreaterThan(50);
  });
});
