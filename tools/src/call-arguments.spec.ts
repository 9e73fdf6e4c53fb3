import { describe, expect, it } from '@jest/globals';
import { callArguments } from './call-arguments.js';

const account = '94e81a1d-bcfd-40cf-b481-b57e7293bb06';

describe('the words of bin/skillgate call', () => {
  it('name a tool, its arguments and an account', () => {
    expect(callArguments(['docs_read_text', '{"artifact":"a"}', '--account', account])).toMatchObject({ tool: 'docs_read_text', args: { artifact: 'a' }, account });
    expect(callArguments(['docs_read_text', '--account', 'pro'])).toMatchObject({ args: {}, account: 'pro' });
  });

  it.each([
    [['--account', account], 'name the tool'],
    [['docs_read_text'], '--account names the account'],
    [['docs_read_text', '--account', 'acme'], '--account names the account'],
    [['docs_read_text', '{"a":', '--account', account], 'the arguments are no JSON'],
    [['docs_read_text', '["a"]', '--account', account], 'are an object'],
    [['docs_read_text', '{"a":', '1}', '--account', account], 'one word of JSON'],
  ])('%j are refused', (words, message) => {
    expect(() => callArguments(words)).toThrow(message);
  });
});
