import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { dialectNames, speak, type DialectName } from './dialects.js';
import { dialectFaults } from './spec-support/dialect-faults.js';
import { normaliseSchema } from './schema-dialect.js';
import type { Schema } from './schema-problem.js';

const object = (properties: Record<string, unknown>, more: Record<string, unknown> = {}) => ({ type: 'object', properties, ...more });
const said = (dialect: DialectName, input: unknown) => {
  const common = normaliseSchema(input);
  if ('problem' in common) throw new Error(common.problem);
  const spoken = speak(dialect, common.schema);
  if ('problem' in spoken) throw new Error(spoken.problem);
  return spoken;
};
const one = (dialect: DialectName, property: unknown) => (said(dialect, object({ x: property })).schema!.properties as Schema).x;
const tree = object({ root: { $ref: '#/$defs/node' } }, { $defs: { node: object({ kids: { type: 'array', items: { $ref: '#/$defs/node' } } }) } });

describe('what Gemini is told', () => {
  it.each<[string, unknown, unknown]>([
    ['a format that it refuses becomes words', { type: 'string', format: 'uri', description: 'Where' }, { type: 'string', description: 'Where. Format: uri.' }],
    ['a format that it knows stays', { type: 'string', format: 'date-time' }, { type: 'string', format: 'date-time' }],
    ['null is a mark, not a type', { type: ['string', 'null'] }, { type: 'string', nullable: true }],
    ['several types are a union', { type: ['string', 'number'] }, { anyOf: [{ type: 'string' }, { type: 'number' }] }],
    ['a union stands alone, with its words in the first branch', { description: 'Id', anyOf: [{ type: 'string' }, { type: 'integer' }] }, { anyOf: [{ type: 'string', description: 'Id' }, { type: 'integer' }] }],
    ['a union with null of one type is that type', { anyOf: [{ type: 'string' }, { type: 'null' }] }, { type: 'string', nullable: true }],
    ['oneOf is a union', { oneOf: [{ type: 'string' }, { type: 'boolean' }] }, { anyOf: [{ type: 'string' }, { type: 'boolean' }] }],
    ['a constant is an enum of one', { const: 'page' }, { type: 'string', enum: ['page'] }],
    ['an enum of numbers becomes words', { type: 'integer', enum: [1, 2] }, { type: 'integer', description: 'One of: 1, 2.' }],
    ['an enum without a type gets one', { enum: ['a', 'b'] }, { type: 'string', enum: ['a', 'b'] }],
    ['an enum with an empty text becomes words', { enum: ['', 'b'] }, { type: 'string', description: 'One of: "", "b".' }],
    ['an exclusive bound of whole numbers is moved', { type: 'integer', exclusiveMinimum: 0 }, { type: 'integer', minimum: 1 }],
    ['an exclusive bound becomes words', { type: 'number', exclusiveMaximum: 1 }, { type: 'number', description: 'Less than 1.' }],
    ['properties stand at objects alone', { type: 'string', properties: { a: {} }, required: ['a'] }, { type: 'string' }],
    ['what is required is there', object({ a: { type: 'string' } }, { required: ['a', 'gone'], additionalProperties: false }), object({ a: { type: 'string' } }, { required: ['a'] })],
    ['an object of anything has no properties', { type: 'object', properties: {} }, { type: 'object' }],
    ['a list of anything says of what', { type: 'array' }, { type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'number' }, { type: 'boolean' }] } }],
    ['allOf is one object', { allOf: [object({ a: { type: 'string' } }, { required: ['a'] }), object({ b: { type: 'string' } })] }, object({ b: { type: 'string' }, a: { type: 'string' } }, { required: ['a'] })],
    ['what is around a union is in each branch', object({ a: { type: 'string' } }, { anyOf: [{ required: ['a'] }, object({ b: { type: 'string' } })] }), { anyOf: [object({ a: { type: 'string' } }, { required: ['a'] }), object({ a: { type: 'string' }, b: { type: 'string' } })] }],
  ])('%s', (_rule, before, after) => {
    expect(one('gemini', before)).toEqual(after);
  });

  it('a tool without arguments has no schema', () => {
    expect(said('gemini', object({})).schema).toBeUndefined();
  });

  it('what cannot be said is noted with its place', () => {
    expect(said('gemini', object({ tags: { type: 'array', items: { type: 'string' }, uniqueItems: true } })).notes).toEqual(['/properties/tags: uniqueItems cannot be said']);
  });
});

describe('what a grammar is made of', () => {
  it.each<[string, unknown, unknown]>([
    ['a pattern without anchors becomes words', { type: 'string', pattern: 'a+' }, { type: 'string', description: 'Pattern: a+' }],
    ['a pattern with a class becomes words', { type: 'string', pattern: '^\\d+$' }, { type: 'string', description: 'Pattern: ^\\d+$' }],
    ['a plain pattern stays', { type: 'string', pattern: '^[0-9]+$' }, { type: 'string', pattern: '^[0-9]+$' }],
    ['what has no type gets all', { description: 'Any' }, { description: 'Any', type: ['string', 'number', 'boolean', 'object', 'null'] }],
    ['a union that only requires does not hide the properties', object({ a: { type: 'string' } }, { anyOf: [{ required: ['a'] }] }), object({ a: { type: 'string' } })],
  ])('%s', (_rule, before, after) => {
    expect(one('grammar', before)).toEqual(after);
  });
});

describe("what Anthropic's models are told", () => {
  it('leaves out arguments whose names a request may not have', () => {
    expect(said('anthropic', object({ 'filter[id]': { type: 'string' }, limit: { type: 'integer' } }))).toEqual({
      schema: object({ limit: { type: 'integer' } }),
      notes: ['the argument "filter[id]" is not shown, since its name is not allowed there'],
    });
  });

  it('is a problem where such an argument is required', () => {
    expect(speak('anthropic', object({ $top: { type: 'integer' } }, { required: ['$top'] }))).toEqual({ problem: expect.stringContaining('rename it') });
  });
});

describe('references', () => {
  it.each(['gemini', 'grammar'] as const)('are put in place for %s, and recursion ends', (dialect) => {
    const { schema, notes } = said(dialect, tree);
    expect(JSON.stringify(schema)).not.toMatch(/\$ref|\$defs/);
    expect(notes.join()).toContain('recursion');
  });

  it.each(['openai', 'anthropic'] as const)('stay for %s', (dialect) => {
    expect(said(dialect, tree).schema).toEqual(tree);
  });

  it('that would grow without end are a problem where they are put in place', () => {
    const level = (of: number) => object(Object.fromEntries(Array.from({ length: 10 }, (_, at) => [`p${at}`, { $ref: `#/$defs/l${of}` }])));
    const bomb = object({ a: { $ref: '#/$defs/l0' } }, { $defs: { l0: level(1), l1: level(2), l2: level(3), l3: level(4), l4: { type: 'string' } } });
    expect(dialectNames.map((dialect) => [dialect, 'problem' in speak(dialect, bomb)])).toEqual([['openai', false], ['anthropic', false], ['gemini', true], ['grammar', true]]);
  });
});

describe('any schema that is taken', () => {
  it.each(dialectNames)('keeps the rules of %s once it is spoken', (dialect) => {
    const leaf = fc.constantFrom<unknown>(
      ...[{ type: 'string' }, { type: 'array' }, true, {}, { description: 'Any.' }, { $ref: '#/$defs/a' }, { const: 3 }, { enum: ['a', 1, null] }, { type: ['object', 'null'] }],
      ...[{ type: 'string', format: 'phone' }, { type: 'string', pattern: '\\S' }, { type: 'integer', minimum: 1, exclusiveMinimum: true }, { type: 'null' }, { not: { type: 'string' } }],
    );
    const { schema } = fc.letrec<{ schema: unknown }>((tie) => ({
      schema: fc.oneof(
        { maxDepth: 4 },
        leaf,
        fc.record({ type: fc.constantFrom<unknown>('object', ['object', 'string'], 'array', 'number'), properties: fc.dictionary(fc.constantFrom('a', 'b', 'c d'), tie('schema')), required: fc.constantFrom(['a'], ['a', 'z']), items: tie('schema'), additionalProperties: fc.constantFrom<unknown>(false, { type: 'string' }) }, { requiredKeys: [] }),
        fc.record({ anyOf: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }), oneOf: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }), allOf: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }), description: fc.constant('Words') }, { requiredKeys: [] }),
      ),
    }));
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom('x', 'y', 'odd name'), schema), schema, (properties, a) => {
        const common = normaliseSchema(object(properties, { $defs: { a } }));
        if ('problem' in common) return;
        const spoken = speak(dialect, common.schema);
        if (!('problem' in spoken)) expect(dialectFaults(dialect, spoken.schema)).toEqual([]);
      }),
      { numRuns: 200 },
    );
  });

  it('is spoken or refused with a sentence, whatever nonsense stands in it', () => {
    const word = fc.constantFrom(
      ...['type', 'properties', 'required', 'items', 'anyOf', 'oneOf', 'allOf', 'not', '$ref', '$defs', 'definitions', 'enum', 'const', 'format', 'pattern', 'nullable'],
      ...['additionalProperties', 'minimum', 'exclusiveMinimum', 'description', 'default', 'prefixItems', 'if', '$schema', '$id', '__proto__', 'a'],
    );
    const value = fc.letrec<{ any: unknown }>((tie) => ({
      any: fc.oneof(
        { maxDepth: 5, withCrossShrink: true },
        fc.constantFrom<unknown>('object', 'string', 'array', '#/$defs/a', '#', '#/properties/a', 'any', '', 0, 1.5, true, false, null, '(', 'https://json-schema.org/draft/2020-12/schema'),
        fc.array(tie('any'), { maxLength: 3 }),
        fc.dictionary(word, tie('any'), { maxKeys: 5 }),
      ),
    })).any;
    let taken = 0;
    fc.assert(
      fc.property(fc.dictionary(word, value, { maxKeys: 6 }), (properties) => {
        for (const input of [properties, { ...properties, type: 'object' }, object({ a: properties })]) {
          const common = normaliseSchema(input);
          if ('problem' in common) expect(common.problem).toMatch(/.{20,}\.$/s);
          else {
            taken += 1;
            for (const dialect of dialectNames) {
              const spoken = speak(dialect, common.schema);
              if ('problem' in spoken) expect(spoken.problem).toMatch(/.{20,}\.$/s);
              else expect([input, dialect, dialectFaults(dialect, spoken.schema)]).toEqual([input, dialect, []]);
            }
          }
        }
      }),
      { numRuns: 1000 },
    );
    expect(taken).toBeGreaterThan(100);
  });
});
