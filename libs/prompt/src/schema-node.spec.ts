import { describe, expect, it } from '@jest/globals';
import { normaliseSchema } from './schema-dialect.js';

const ok = (input: unknown, options?: { refs: 'keep' | 'inline' }) => {
  const result = normaliseSchema(input, options);
  if ('problem' in result) throw new Error(result.problem);
  return result;
};
const problem = (input: unknown) => {
  const result = normaliseSchema(input);
  return 'problem' in result ? result.problem : undefined;
};
const object = (properties: Record<string, unknown>, more: Record<string, unknown> = {}) => ({ type: 'object', properties, ...more });

describe('words of older drafts and of OpenAPI', () => {
  it.each<[string, unknown, unknown]>([
    ['an exclusive bound that is a mark', { type: 'integer', minimum: 1, exclusiveMinimum: true }, { type: 'integer', exclusiveMinimum: 1 }],
    ['a bound that is not exclusive', { type: 'integer', maximum: 9, exclusiveMaximum: false }, { type: 'integer', maximum: 9 }],
    ['null as a mark', { type: 'string', nullable: true }, { type: ['string', 'null'] }],
    ['null as a mark of an enum', { type: 'string', enum: ['a'], nullable: true }, { type: ['string', 'null'], enum: ['a', null] }],
    ['a property that says it is required', { type: 'string', required: true }, { type: 'string' }],
    ['what is required twice', object({ b: {} }, { required: ['b', 'b'] }), object({ b: {} }, { required: ['b'] })],
    ['a format that nobody knows', { type: 'string', format: 'phone', description: 'Whom to call' }, { type: 'string', description: 'Whom to call. Format: phone.' }],
  ])('are renewed: %s', (_what, before, after) => {
    expect(ok(object({ a: before })).schema).toEqual(object({ a: after }));
  });

  it.each<[string, unknown, string]>([
    ['a type that there is not', { type: 'any' }, '/properties/a/type must be equal to one of the allowed values'],
    ['a bound that is no number', { type: 'string', minLength: '1' }, '/properties/a/minLength must be integer'],
    ['what is required and no list', { type: 'object', required: 'b' }, '/properties/a/required must be array'],
  ])('that mean nothing are a problem with their place: %s', (_what, before, message) => {
    expect(problem(object({ a: before }))).toContain(message);
  });

  it('that nest too deeply are a problem, and end where references brought them there', () => {
    const nest = (levels: number): object => (levels === 0 ? { type: 'string' } : object({ a: nest(levels - 1) }));
    expect(problem(nest(30))).toContain('more than 24 levels');
    const chain = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`l${at}`, object({ a: at === 29 ? { type: 'string' } : { $ref: `#/$defs/l${at + 1}` } })]));
    const { schema, notes } = ok(object({ a: { $ref: '#/$defs/l0' } }, { $defs: chain }), { refs: 'inline' });
    expect(JSON.stringify(schema)).not.toContain('$ref');
    expect(notes.join()).toContain('end here in a plain object');
  });
});
