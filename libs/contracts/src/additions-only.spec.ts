import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { compareWithPin } from './additions-only.js';

const pin = (schema: z.ZodType, refusals: string[] = []) =>
  JSON.parse(JSON.stringify({ refusals, input: z.toJSONSchema(schema, { io: 'input' }) })) as Parameters<typeof compareWithPin>[0];

const before = z.object({
  name: z.string(),
  nick: z.string().optional(),
  kind: z.enum(['a', 'b']),
  list: z.array(z.object({ id: z.number() })),
  either: z.union([z.string(), z.object({ text: z.string() })]),
  byName: z.record(z.string(), z.object({ n: z.number() })),
});
const { shape } = before;

describe('a contract compared with its pin', () => {
  it('is unchanged when only prose differs', () => {
    const now = before.extend({ name: z.string().describe('who it is') });
    expect(compareWithPin(pin(before), pin(now))).toEqual({ breaking: [], additions: [] });
  });

  it.each<[string, z.ZodType]>([
    ['an optional property', before.extend({ more: z.string().optional() })],
    ['a property with a default', before.extend({ more: z.string().default('x') })],
    ['an optional property inside a list', before.extend({ list: z.array(z.object({ id: z.number(), more: z.string().optional() })) })],
    ['an optional property inside a union', before.extend({ either: z.union([z.string(), z.object({ text: z.string(), more: z.string().optional() })]) })],
    ['an optional property inside a record', before.extend({ byName: z.record(z.string(), z.object({ n: z.number(), more: z.string().optional() })) })],
  ])('may gain %s', (_what, now) => {
    const { breaking, additions } = compareWithPin(pin(before), pin(now));
    expect(breaking).toEqual([]);
    expect(additions).toHaveLength(1);
    expect(additions[0]).toMatch(/\.more$/);
  });

  it.each<[string, z.ZodType]>([
    ['gain a property that must be sent', before.extend({ more: z.string() })],
    ['lose a property', before.omit({ nick: true })],
    ['lose a property that had to be sent', before.omit({ name: true })],
    ['need what was optional', before.extend({ nick: z.string() })],
    ['make optional what readers need', before.extend({ name: z.string().optional() })],
    ['change a type', before.extend({ name: z.number() })],
    ['narrow a text', before.extend({ name: z.string().max(10) })],
    ['gain a value in an enumeration', before.extend({ kind: z.enum(['a', 'b', 'c']) })],
    ['lose a value of an enumeration', before.extend({ kind: z.enum(['a']) })],
    ['gain a variant', before.extend({ either: z.union([z.string(), shape.either.options[1], z.number()]) })],
    ['change a type inside a list', before.extend({ list: z.array(z.object({ id: z.string() })) })],
    ['change a type inside a record', before.extend({ byName: z.record(z.string(), z.object({ n: z.string() })) })],
    ['become strict', z.strictObject(shape)],
    ['become something else', z.string()],
  ])('may not %s', (_what, now) => {
    expect(compareWithPin(pin(before), pin(now)).breaking).not.toEqual([]);
  });

  it('may gain a refusal and not lose one', () => {
    expect(compareWithPin(pin(before, ['no']), pin(before, ['no', 'never']))).toEqual({ breaking: [], additions: ['refusal "never"'] });
    expect(compareWithPin(pin(before, ['no', 'never']), pin(before, ['no'])).breaking).toHaveLength(1);
  });
});
