import { describe, expect, it } from '@jest/globals';
import { parseMarkdown } from './parse-markdown.js';
import { escapeForMarkdown, plainInline } from './plain-inline.js';

const outline = (text: string): unknown =>
  parseMarkdown(text).sections.map(({ heading, level, blocks }) => [
    level,
    heading,
    ...blocks.map((block) => `${block.kind}:${block.text}`),
  ]);

describe('reading Markdown', () => {
  it('finds headings of both kinds, paragraphs, items, tables and code', () => {
    const text =
      '---\ntitle: x\n---\n# One **bold**\nwrapped\nline\n\nTwo\n---\n- a [link](http://x)\n  goes on\n- [ ] open\n\n| h | k |\n|---|---|\n| 1 | 2 |\n\n```js\ncode()\n# no heading\n```\n> quote';
    expect(outline(text)).toEqual([
      [1, 'One bold', 'paragraph:wrapped line'],
      [2, 'Two', 'item:a link goes on', 'item:open', 'table:h, k', 'code:', 'paragraph:quote'],
    ]);
    expect(parseMarkdown(text).sections[1]!.blocks[2]).toMatchObject({ size: 1 });
    expect(parseMarkdown(text).sections[1]!.blocks[1]).toMatchObject({ open: true });
  });

  it('takes CRLF and a byte-order mark', () =>
    expect(parseMarkdown('\uFEFF# One\r\n\r\ntext\r\n')).toMatchObject({ title: 'One', sections: [{ heading: 'One' }] }));

  it('takes a labelled list and shouted lines for sections', () => {
    expect(outline('SCOPE AND AIM\n\nText here.\n\nDecisions:\n- one')).toEqual([
      [1, 'SCOPE AND AIM', 'paragraph:Text here.'],
      [3, 'Decisions', 'item:one'],
    ]);
  });

  it('keeps the lines of a transcript apart', () => {
    expect(outline('Sync, 3 May\n\nAna: Hello.\nSpeaker 2: Hi.\n[10:02] Tom (CFO): Go on.\nand on.')).toEqual([
      [1, 'Sync, 3 May', 'speech:Ana: Hello.', 'speech:Speaker 2: Hi.', 'speech:[10:02] Tom (CFO): Go on. and on.'],
    ]);
  });

  it('ends on an unclosed fence', () => expect(outline('a\n```\nb')).toEqual([[0, '', 'paragraph:a', 'code:']]));
});

describe('inline marks', () => {
  it.each([
    ['**a** _b_ ~~c~~ *d*', 'a b c d'],
    ['[text](url) ![img](x) <https://x.org> [ref][1] note[^2]', 'text https://x.org ref note'],
    ['`a*b*` and ``c `d` e``', "`a*b*` and `c 'd' e`"],
    ['snake_case_name 2*3*4 \\*kept\\*', 'snake_case_name 2*3*4 *kept*'],
    ['a<br>b &amp; &#39;c&#39; <!-- no -->', "a b & 'c'"],
  ])('%s', (markdown, text) => expect(plainInline(markdown)).toBe(text));

  it('are escaped again where text goes back into Markdown, code spans left alone', () => {
    expect(escapeForMarkdown('2*3 <b> _x_ `a*b` snake_case')).toBe('2\\*3 \\<b> \\_x\\_ `a*b` snake_case');
  });
});
