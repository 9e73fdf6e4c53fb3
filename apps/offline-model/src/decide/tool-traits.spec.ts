import { describe, expect, it } from '@jest/globals';
import { kindOfFile, kindsIn, opens, traitOf } from './tool-traits.js';

const tool = (
  name: string,
  description: string,
  properties: object = {},
): { name: string; description: string; parameters: { [key: string]: unknown } } => ({
  name,
  description,
  parameters: { type: 'object', properties },
});

describe('what a tool is for', () => {
  it('reads when it takes a file and no text, writes when it takes text and a name', () => {
    expect(traitOf(tool('peek', '', { artifact: { type: 'string' } }))).toBe('reader');
    expect(traitOf(tool('press', '', { file_name: { type: 'string' }, body: { type: 'string' } }))).toBe('writer');
    expect(traitOf(tool('send', '', { channel: { type: 'string' }, text: { type: 'string' } }))).toBe('other');
  });

  it('believes the name before the description, and no negation', () => {
    expect(opens(tool('peek_docx', 'Reads it. Text files go elsewhere.'), { name: 'a.md', mime: '' })).toBe(false);
    expect(opens(tool('peek', 'Reads Word files. Not for text.'), { name: 'a.md', mime: '' })).toBe(false);
    expect(opens(tool('peek', 'Reads anything.'), { name: 'a.md', mime: '' })).toBe(true);
  });
});

describe('kinds of files', () => {
  it.each([
    ['plan.docx', '', 'word'],
    ['plan', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document', 'word'],
    ['figures.csv', 'text/csv', 'text'],
    ['notes', 'text/plain', 'text'],
    ['scan.pdf', 'application/pdf', 'pdf'],
    ['unknown.xyz', 'application/octet-stream', undefined],
  ])('%s (%s) is %s', (name, mime, kind) => expect(kindOfFile(name, mime)).toBe(kind));

  it('hears "Word" only as a file', () => {
    expect([...kindsIn('as a Word file')]).toEqual(['word']);
    expect([...kindsIn('say it in one word')]).toEqual([]);
  });
});
