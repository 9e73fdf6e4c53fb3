import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { normaliseSchema } from './schema-dialect.js';

const ok = (input: unknown, options?: { refs: 'keep' | 'inline' }) => {
  const result = normaliseSchema(input, options);
  if ('problem' in result) throw new Error(result.problem);
  return result;
};
const problem = (input: unknown, options?: { refs: 'keep' | 'inline' }) => {
  const result = normaliseSchema(input, options);
  return 'problem' in result ? result.problem : undefined;
};
const object = (properties: Record<string, unknown>, more: Record<string, unknown> = {}) => ({ type: 'object', properties, ...more });

describe('a schema that is fine', () => {
  it('comes back equal, as a copy, without a note', () => {
    const schema = object(
      { title: { type: 'string' }, rows: { type: 'array', items: object({ items: { type: 'number' } }) } },
      { required: ['title'], additionalProperties: false },
    );
    const before = structuredClone(schema);
    expect(ok(schema)).toEqual({ schema, notes: [] });
    expect(schema).toEqual(before);
  });

  it('loses what is only for validators', () => {
    expect(ok({ $schema: 'https://json-schema.org/draft/2020-12/schema', $id: 'x', ...object({}) }).schema).toEqual(object({}));
  });
});

describe('references', () => {
  const tree = object(
    { root: { $ref: '#/$defs/node' } },
    { $defs: { node: object({ kids: { type: 'array', items: { $ref: '#/$defs/node' } } }) } },
  );

  it('and their definitions stay together, also when they refer to themselves', () => {
    expect(ok(tree)).toEqual({ schema: tree, notes: [] });
  });

  it('of older drafts move to $defs', () => {
    expect(ok(object({ a: { $ref: '#/definitions/x' } }, { definitions: { x: { type: 'string' } } })).schema).toEqual(
      object({ a: { $ref: '#/$defs/x' } }, { $defs: { x: { type: 'string' } } }),
    );
  });

  it('can be put in place, where recursion ends in a plain object with a note', () => {
    const { schema, notes } = ok(tree, { refs: 'inline' });
    expect(schema).toEqual(
      object({
        root: object({ kids: { type: 'array', items: { type: 'object', description: 'The same kind of object as around it.' } } }),
      }),
    );
    expect(notes).toEqual([expect.stringContaining('recursion of #/$defs/node')]);
    expect(() => JSON.stringify(schema)).not.toThrow();
  });

  it('to other places are put in place in both ways', () => {
    expect(ok(object({ a: { type: 'string' }, b: { $ref: '#/properties/a', description: 'Second.' } })).schema).toEqual(
      object({ a: { type: 'string' }, b: { type: 'string', description: 'Second.' } }),
    );
  });

  it('at the root are resolved, since the root must be an object', () => {
    expect(ok({ $ref: '#/$defs/a', $defs: { a: object({ x: { type: 'string' } }) } }).schema).toEqual(
      object({ x: { type: 'string' } }, { $defs: { a: object({ x: { type: 'string' } }) } }),
    );
  });

  it.each([
    ['to nothing', object({ a: { $ref: '#/$defs/none' } }), 'points at nothing'],
    ['to an inherited property', object({ a: { $ref: '#/constructor' } }), 'points at nothing'],
    ['to another document', object({ a: { $ref: 'https://example.org/x.json' } }), 'not local'],
    [
      'round in a circle',
      object({ a: { $ref: '#/$defs/a' } }, { $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } } }),
      'circle',
    ],
  ])('%s are a problem', (_what, schema, message) => {
    expect(problem(schema)).toContain(message);
    expect(problem(schema, { refs: 'inline' })).toContain(message);
  });

  it('into references into references cannot grow without end', () => {
    const level = (of: number) => object(Object.fromEntries(Array.from({ length: 10 }, (_, at) => [`p${at}`, { $ref: `#/$defs/l${of}` }])));
    const bomb = object(
      { a: { $ref: '#/$defs/l0' } },
      { $defs: { l0: level(1), l1: level(2), l2: level(3), l3: level(4), l4: level(5), l5: { type: 'string' } } },
    );
    expect(problem(bomb, { refs: 'inline' })).toContain('too many parts');
    expect(problem(bomb)).toBeUndefined();
  });
});

describe('the root', () => {
  it('loses alternatives that only require, with a note', () => {
    expect(ok(object({ id: {}, email: {} }, { anyOf: [{ required: ['id'] }, { required: ['email'] }] }))).toEqual({
      schema: object({ id: {}, email: {} }),
      notes: ['anyOf at the root is not shown to the model; the executor checks it'],
    });
  });

  it('is merged from allOf', () => {
    expect(
      ok({ allOf: [object({ a: {} }, { required: ['a'] }), { $ref: '#/$defs/b' }], $defs: { b: object({ b: {} }, { required: ['b'] }) } })
        .schema,
    ).toMatchObject(object({ a: {}, b: {} }, { required: ['a', 'b'] }));
  });

  it.each([
    ['nothing but properties', { properties: { a: {} } }],
    ['an empty schema', {}],
    ['an object or null', { type: ['object', 'null'] }],
    ['an object or null of OpenAPI', { nullable: true }],
  ])('becomes an object: %s', (_what, schema) => {
    expect(ok(schema)).toMatchObject({ schema: { type: 'object', properties: {} }, notes: ['the root was given the type object'] });
  });

  it.each([
    ['a list', { type: 'array', items: {} }, 'of type array'],
    ['a text', { type: 'string' }, 'of type string'],
    [
      'kinds with properties of their own',
      { oneOf: [object({ a: {} }), object({ b: {} })] },
      'alternatives (oneOf) with properties of their own (a, b)',
    ],
    ['no schema', 'x', 'must be a JSON object'],
    ['a list of schemas', [], 'must be a JSON object'],
    ['nothing', undefined, 'must be a JSON object'],
    ['a property that is no schema', object({ a: 'string' }), '/properties/a is no schema'],
    ['65 KiB', object({ a: { description: 'x'.repeat(66_000) } }), 'more than 65536 characters'],
    ['a big integer', object({ a: { maximum: 1n } }), 'no plain data'],
  ])('may not be %s', (_what, schema, message) => {
    expect(problem(schema)).toContain(message);
  });

  it('may not contain itself as an object', () => {
    const schema: Record<string, unknown> = object({});
    schema.self = schema;
    expect(problem(schema)).toContain('refers to itself');
  });
});

describe('lists', () => {
  it.each([
    ['no items', { type: 'array' }, { type: 'array', items: {} }],
    ['no items beside another type', { type: ['string', 'array'] }, { type: ['string', 'array'], items: {} }],
    ['items: true', { type: 'array', items: true }, { type: 'array', items: {} }],
    [
      'a tuple',
      { type: 'array', prefixItems: [{ type: 'string' }, { type: 'number' }] },
      { type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'number' }] } },
    ],
    [
      'a tuple of older drafts',
      { type: 'array', items: [{ type: 'string' }], additionalItems: false },
      { type: 'array', items: { anyOf: [{ type: 'string' }] } },
    ],
  ])('say what they hold: %s', (_what, before, after) => {
    expect(ok(object({ list: before, nested: object({ list: before }) })).schema).toEqual(
      object({ list: after, nested: object({ list: after }) }),
    );
  });

  it('inside lists are found, and noted with their place', () => {
    expect(ok(object({ rows: { type: 'array' }, cells: { type: 'array', items: { type: ['string', 'array'] } } }))).toEqual({
      schema: object({ rows: { type: 'array', items: {} }, cells: { type: 'array', items: { type: ['string', 'array'], items: {} } } }),
      notes: ['/properties/rows: the list was given items of any kind', '/properties/cells/items: the list was given items of any kind'],
    });
  });

  it('are not looked for among the names of properties', () => {
    const schema = object({ items: { type: 'string' }, anyOf: { type: 'string' }, type: { type: 'string' }, $ref: { type: 'string' } });
    expect(ok(schema)).toEqual({ schema, notes: [] });
  });

  it('properties of true become objects, properties of false go with a note', () => {
    expect(ok(object({ a: true, b: false }, { additionalProperties: false }))).toEqual({
      schema: object({ a: {} }, { additionalProperties: false }),
      notes: ['/properties/b allows nothing and is not shown to the model'],
    });
  });
});

describe('any input', () => {
  it('gives a schema that keeps its own rules, or a problem that says what to do', () => {
    const json = fc.letrec<{ schema: unknown }>((tie) => ({
      schema: fc.oneof(
        { maxDepth: 4 },
        fc.constantFrom<unknown>(
          { type: 'string' },
          { type: 'array' },
          true,
          false,
          7,
          { $ref: '#/$defs/a' },
          { $ref: '#' },
          { $ref: '#/properties/a' },
        ),
        fc.record(
          {
            type: fc.constantFrom<unknown>('object', 'array', ['array', 'null']),
            properties: fc.dictionary(fc.constantFrom('a', 'b', 'items'), tie('schema')),
            items: tie('schema'),
          },
          { requiredKeys: [] },
        ),
        fc.record(
          { anyOf: fc.array(tie('schema'), { maxLength: 3 }), $defs: fc.dictionary(fc.constantFrom('a', 'b'), tie('schema')) },
          { requiredKeys: [] },
        ),
      ),
    })).schema;
    fc.assert(
      fc.property(json, fc.constantFrom('keep' as const, 'inline' as const), (input, refs) => {
        const result = normaliseSchema(input, { refs });
        if ('problem' in result) expect(result.problem).toMatch(/.{20,}\.$/);
        else {
          expect(result.schema).toMatchObject({ type: 'object' });
          const again = normaliseSchema(JSON.parse(JSON.stringify(result.schema)), { refs });
          expect('problem' in again ? again : again.schema).toEqual(result.schema);
          if (refs === 'inline') expect(JSON.stringify(result.schema)).not.toContain('"$ref":"');
        }
      }),
      { numRuns: 1000 },
    );
  });
});
