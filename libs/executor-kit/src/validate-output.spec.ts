import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { defineTool } from './define-tool.js';
import { tryTool } from './try-tool.js';

const tool = (output: z.ZodType | Record<string, unknown> | undefined, gives: unknown) =>
  defineTool({
    name: 'lab_try',
    profile: 'docs',
    effect: 'read',
    description: 'Tries.',
    input: { type: 'object', properties: {} },
    ...(output && { output }),
    timeoutMs: 1_000,
    execute: async () => gives,
  });

const draft7 = 'http://json-schema.org/draft-07/schema#';
const schema = { $schema: draft7, type: 'object', properties: { n: { type: 'integer' }, at: { type: 'string', format: 'date-time' } }, required: ['n'] };

describe('what a tool gives back', () => {
  it.each<[string, z.ZodType | Record<string, unknown> | undefined, unknown, unknown]>([
    ['without a schema is taken as it is', undefined, { any: 'thing' }, { any: 'thing' }],
    ['is checked by zod, which drops what it does not know', z.object({ n: z.number() }), { n: 1, secret: 2 }, { n: 1 }],
    ['is checked by a JSON Schema, of whichever draft', schema, { n: 1, more: 2 }, { n: 1, more: 2 }],
  ])('%s', async (_what, output, gives, content) => {
    expect(await tryTool(tool(output, gives), {})).toMatchObject({ content });
  });

  it.each<[string, z.ZodType | Record<string, unknown>, unknown, string]>([
    ['zod', z.object({ n: z.number() }), { n: 'one' }, 'expected number'],
    ['a JSON Schema', schema, { n: 'one' }, '/n must be integer'],
    ['the format of a JSON Schema', schema, { n: 1, at: 'noon' }, '/at must match format'],
  ])('that breaks %s is the fault of the executor, told by field', async (_what, output, gives, words) => {
    const { error } = await tryTool(tool(output, gives), {});
    expect(error).toMatchObject({ kind: 'breach', slug: 'invalid-tool-output', message: expect.stringContaining(words) });
  });

  it('is not promised in a schema that is none: the error names the tool and the side', () => {
    expect(() => tool({ type: 'objekt' }, 1)).toThrow(/^tool "lab_try": the output schema is no JSON Schema/);
  });
});

it('arguments are checked by a JSON Schema of draft 7 too, as other libraries write it', async () => {
  const echo = defineTool({
    ...{ name: 'lab_echo', profile: 'docs', effect: 'read', description: 'Echoes.', timeoutMs: 1_000 },
    input: { $schema: draft7, type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
    execute: async (given) => given,
  });
  expect(await tryTool(echo, { text: 'x' })).toMatchObject({ content: { text: 'x' } });
  expect((await tryTool(echo, {})).error).toMatchObject({ slug: 'invalid-arguments' });
});
