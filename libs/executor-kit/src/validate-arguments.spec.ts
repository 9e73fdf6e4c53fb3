import { describe, expect, it } from '@jest/globals';
import { isRefusal } from '@skillgate/contracts/refusal';
import { z } from 'zod';
import { defineTool } from './define-tool.js';

const tool = defineTool({
  name: 'docs_try',
  profile: 'docs',
  effect: 'read',
  description: 'For these tests.',
  input: z.strictObject({
    file_name: z.string().min(1).regex(/^\w+$/).describe('Name of the file'),
    limit: z.number().int().min(1).max(10).default(5),
    kind: z.enum(['short', 'long']).optional(),
    rows: z.array(z.strictObject({ id: z.string() })).optional(),
  }),
  timeoutMs: 1_000,
  execute: async () => null,
});

const problemsOf = (args: Record<string, unknown>): string[] => {
  try {
    tool.decode(args);
  } catch (error) {
    if (isRefusal(error, 'invalid-arguments')) return error.details?.problems as string[];
  }
  throw new Error('was not refused');
};

describe('arguments', () => {
  it('reach the tool with defaults applied', () => {
    expect(tool.decode({ file_name: 'memo' })).toEqual({ file_name: 'memo', limit: 5 });
  });

  it('may carry null for an optional field, which the tool sees as absent', () => {
    expect(tool.decode({ file_name: 'memo', kind: null })).toEqual({ file_name: 'memo', limit: 5 });
  });

  it.each<[string, Record<string, unknown>, string[]]>([
    ['an empty object', {}, ['"file_name" is missing; expected text (Name of the file)']],
    ['a misspelt field', { file_name: 'memo', filename: 'x' }, ['"filename" is not an argument; known are file_name, limit, kind, rows']],
    ['a number as text', { file_name: 'memo', limit: '3' }, ['"limit" must be a whole number, not text']],
    ['a number out of range', { file_name: 'memo', limit: 11 }, ['"limit" must be <= 10']],
    ['a word outside the choice', { file_name: 'memo', kind: 'medium' }, ['"kind" must be one of "short", "long"']],
    ['the wrong form', { file_name: '../x' }, ['"file_name" has the wrong form (Name of the file)']],
    ['a gap deep inside', { file_name: 'memo', rows: [{ id: 'a' }, {}] }, ['"rows.1.id" is missing; expected text']],
    ['null for a required field', { file_name: null }, ['"file_name" must be text, not null']],
  ])('with %s are told the field and what is expected', (_what, args, problems) => {
    expect(problemsOf(args)).toEqual(problems);
  });

  it('never have their values repeated in the refusal', () => {
    const args = { file_name: 'sk-test-000/secret', limit: 'sk-test-000', kind: 'sk-test-000' };
    expect(JSON.stringify(problemsOf(args))).not.toContain('sk-test-000');
  });

  it('with very many problems name the first five and count the rest', () => {
    const rows = Array.from({ length: 9 }, () => ({}));
    const problems = problemsOf({ file_name: 'memo', rows });
    expect(problems).toHaveLength(6);
    expect(problems.at(-1)).toBe('and 4 more');
  });

  it('of a plain JSON Schema are defaulted in a copy, and the original stays', () => {
    const schema = { type: 'object', properties: { n: { type: 'integer', default: 7 } } };
    const plain = defineTool({
      name: 'a',
      profile: 'docs',
      effect: 'read',
      description: 'd',
      input: schema,
      timeoutMs: 1,
      execute: async () => 0,
    });
    const args = {};
    expect(plain.decode(args)).toEqual({ n: 7 });
    expect(args).toEqual({});
  });
});
