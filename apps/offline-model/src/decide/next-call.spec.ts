import { describe, expect, it } from '@jest/globals';
import { nextCall, type Situation } from './next-call.js';

const tool = (name: string, description: string, properties: object): Situation['ordered'][number] => ({
  name,
  description,
  parameters: { type: 'object', properties, required: Object.keys(properties) },
});
const text = { type: 'string' };
const docx = tool('press_docx', 'Makes a Word file.', { file_name: text, markdown: text });
const plain = tool('press_text', 'Stores a text file.', { file_name: text, content: text });
const ask = tool('find_news', 'Search the news.', { query: text });
const ring = tool('ring_bell', 'Ring the bell of the house.', { tune: text });

const situation = (request: string, ordered: Situation['ordered'], more: Partial<Situation> = {}): Situation => ({
  ordered,
  attachments: [],
  calls: [],
  files: [],
  hasMaterial: true,
  request,
  ...more,
});
const next = (request: string, ordered: Situation['ordered'], more: Partial<Situation> = {}): string | undefined =>
  nextCall(situation(request, ordered, more))?.tool.name;

describe('the next call', () => {
  it.each([
    ['Make a page of it', 'press_docx'],
    ['Make a Word file of it', 'press_docx'],
    ['Make a text file of it', 'press_text'],
    ['Turn this CSV into a Word file', 'press_docx'],
    ['Turn this Word document into Markdown', 'press_text'],
  ])('“%s” is for %s', (request, name) => expect(next(request, [docx, plain])).toBe(name));

  it('does not take the name of the given file for a wish', () => {
    const attachments = [{ id: `art_${'a'.repeat(32)}`, name: 'figures.csv', mime: 'text/csv' }];
    expect(next('Make a page of figures.csv', [docx, plain], { attachments })).toBe('press_docx');
  });

  it('makes one file, once', () => {
    const calls = [{ id: '1', name: 'press_docx', arguments: '{}', result: '{}' }];
    expect(next('Make a page of it', [docx, plain], { calls })).toBeUndefined();
  });

  it('makes nothing without material', () => expect(next('Make a page of it', [docx], { hasMaterial: false })).toBeUndefined());

  it('looks things up on the word of the instructions, but acts only on the word of the user', () => {
    expect(next('What is new?', [ask])).toBe('find_news');
    expect(next('What is new?', [ring])).toBeUndefined();
    expect(next('Ring for me', [ring])).toBe('ring_bell');
  });
});
