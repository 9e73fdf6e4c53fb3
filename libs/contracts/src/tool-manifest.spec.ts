import { describe, expect, it } from '@jest/globals';
import { readAnnouncement, suggestName, toolManifest } from './tool-manifest.js';
import { toolName } from './words.js';

const sound = {
  name: 'docs_read',
  profile: 'docs',
  effect: 'read',
  description: 'Reads.',
  inputSchema: { type: 'object' },
  timeoutMs: 1_000,
  schemaDigest: 'a'.repeat(64),
};
const read = (...tools: unknown[]) => readAnnouncement({ executor: 'docs', version: '1', instance: 'a', state: 'serving', tools });

describe('an announcement', () => {
  it('is read tool by tool', () => {
    const { tools, malformed } = read(sound, null, { ...sound, name: 'Docs Read' });
    expect(tools).toEqual([toolManifest.parse(sound)]);
    expect(malformed.map(({ name }) => name)).toEqual(['number 2 of the announcement', 'Docs Read']);
  });

  it('shows a name that would write into a terminal as one line', () => {
    const [{ name, problem } = { name: '', problem: '' }] = read({ ...sound, name: 'docs\r\u001b[2Kapproved', inputSchema: [] }).malformed;
    expect(name).toBe('docs\\u000d\\u001b[2Kapproved');
    expect(problem).not.toMatch(/\p{Control}/u);
  });

  it.each([
    ['a name out of the rule', { name: 'API-get-user' }, 'call it "api_get_user"'],
    ['a name of which nothing can stay', { name: '漢字' }, 'begins with a letter'],
    ['no name', { name: undefined }, 'begins with a letter'],
    ['a long description', { description: 'x'.repeat(1_025) }, 'the description has 1025 characters'],
    ['no description', { description: '' }, 'description: '],
    ['an effect that there is not', { effect: 'delete' }, 'effect: '],
    ['a schema that is none', { inputSchema: [] }, 'inputSchema: '],
    ['two mistakes, both told', { name: 'X', timeoutMs: -1 }, 'timeoutMs: '],
  ])('says of %s what to do', (_what, change, words) => {
    expect(read({ ...sound, ...change }).malformed).toMatchObject([{ problem: expect.stringContaining(words) }]);
  });
});

describe('a suggested name', () => {
  it.each([
    ['API-get-user', 'api_get_user'],
    ['getUserByID', 'get_user_by_id'],
    ['9lives', 'lives'],
    ['a'.repeat(80), 'a'.repeat(64)],
    ['--', undefined],
  ])('of %s is within the rule', (name, better) => {
    expect(suggestName(name)).toBe(better);
    if (better) expect(toolName.safeParse(better).success).toBe(true);
  });
});
