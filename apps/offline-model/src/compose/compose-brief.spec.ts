import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { journal } from '../decide/play-turn.fixtures.js';
import { countWords } from '../text/words.js';
import { composeBrief } from './compose-brief.js';
import { readMaterial } from './material.js';
import { mechanicalSlips } from './mechanical-slips.js';
import { parseMarkdown } from './parse-markdown.js';
import { briefAsMarkdown } from './write-brief.js';

const brief = (text: string, headings: string[] = [], name = 'a.md'): ReturnType<typeof composeBrief> =>
  composeBrief([readMaterial({ name, mime: '', text })], { title: 'T', request: 'Sum up', headings });
const part = (text: string, heading: string, headings: string[] = []): string[] | undefined =>
  brief(text, headings).parts.find((one) => one.heading === heading)?.lines;

const talk = `Ana: Shall we start?
Tom: We decided to move the launch to 17 May.
Ana: Tom will book the load test by Friday.
Eva: The risk is that the agency is on holiday.
Tom: Who pays for the extra month?`;

describe('a composed page', () => {
  it('has its standard parts, and next steps only when the material has some', () => {
    expect(brief(journal).parts.map((one) => one.heading)).toEqual(['Purpose', 'Key points', 'By section', 'Next steps', 'Source']);
    expect(brief('# T\n\nFrost came in April this year. Plants died in the beds.').parts.map((one) => one.heading)).toEqual([
      'Purpose',
      'Source',
    ]);
  });

  it('opens with the first sentences of the text', () => {
    expect(part(journal, 'Purpose')).toEqual([
      'The garden lost 12 of 40 tomato plants to frost in April.',
      'We covered the rest with fleece on 3 May.',
    ]);
  });

  it('sorts a talk by what was decided, is to do, is risky and is open', () => {
    const headings = ['Attendees', 'Decisions', 'Action items', 'Risks', 'Open questions'];
    expect(part(talk, 'Attendees', headings)).toEqual(['Ana', 'Tom', 'Eva']);
    expect(part(talk, 'Decisions', headings)).toEqual(['Tom: We decided to move the launch to 17 May.']);
    expect(part(talk, 'Action items', headings)).toEqual(['Ana: Tom will book the load test by Friday.']);
    expect(part(talk, 'Risks', headings)).toEqual(['Eva: The risk is that the agency is on holiday.']);
    expect(part(talk, 'Open questions', headings)).toContain('Tom: Who pays for the extra month?');
  });

  it('takes no statement that ends in a question for an open one', () => {
    const told =
      'The route is also kept as a record with its six answers in order: was the right tool seen, opened, chosen and run in time?';
    const text = `# T\n\nFrost came in April this year.\n\n## Record\n\n${told} Who mends the tap in the yard?`;
    expect(part(text, 'Open questions')).toEqual(['Who mends the tap in the yard?']);
  });

  it('names what it was asked for and could not fill, and gives no judgements', () => {
    const made = brief('# T\n\nFrost came in April this year.', ['Verdict', 'Decisions', 'Source']);
    expect(made.leftOut).toContain('Decisions');
    expect(made.unjudged).toEqual(['Verdict']);
    expect(made.parts.map((one) => one.heading)).toEqual(['Purpose', 'Source']);
  });

  it('counts a CSV instead of quoting it', () => {
    const made = brief('city,rain\nOslo,3\nRome,5', [], 'rain.csv');
    expect(made.parts.map((one) => one.heading)).toEqual(['Purpose', 'Key points', 'By column', 'Source']);
    expect(made.lead).toBe('The table has 2 rows and 2 columns: city, rain.');
  });

  it('reads a list of objects as a table and HTML as text', () => {
    expect(readMaterial({ name: 'a.json', mime: '', text: '[{"n":1,"s":"x"},{"n":2}]' })).toMatchObject({
      kind: 'table',
      table: {
        columns: ['n', 's'],
        rows: [
          ['1', 'x'],
          ['2', ''],
        ],
      },
    });
    expect(
      readMaterial({ name: 'a.html', mime: '', text: '<html><script>no()</script><h2>One</h2><p>Frost &amp; rain.</p></html>' }),
    ).toMatchObject({ document: { sections: [{ heading: 'One', blocks: [{ text: 'Frost & rain.' }] }] } });
  });

  it('puts no raw table, code or link address on the page', () => {
    const text =
      '# T\n\nSee [the plan](https://x.org/plan) before you sow the beds in May.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```\nrm -rf\n```\n';
    const page = briefAsMarkdown(brief(text), true);
    expect(page).toContain('See the plan before you sow');
    expect(page).not.toMatch(/x\.org|\||rm -rf/);
  });

  it('is one page at most, whatever the text, and quotes only what stands there', () => {
    const word = fc.constantFrom('frost', 'beds', 'water', 'must', 'compost', 'Friday', '42', 'soil', 'who', 'decided', 'risk');
    const sentence = fc
      .tuple(fc.array(word, { minLength: 4, maxLength: 38 }), fc.constantFrom('.', '?', '!'))
      .map(([words, end]) => `The ${words.join(' ')}${end}`);
    const section = fc
      .tuple(word, fc.array(sentence, { minLength: 1, maxLength: 8 }))
      .map(([heading, sentences]) => `## ${heading}\n\n${sentences.join(' ')}\n`);
    fc.assert(
      fc.property(fc.array(section, { minLength: 1, maxLength: 25 }), (sections) => {
        const text = `# Garden\n\n${sections.join('\n')}`;
        const made = brief(text);
        expect(made.words).toBeLessThanOrEqual(450);
        for (const { heading, lines } of made.parts) {
          if (heading === 'Source') continue;
          for (const line of lines) if (!line.startsWith('Also covered')) expect(text).toContain(line.replace(/^\*\*.+?:\*\* /, ''));
        }
      }),
      { numRuns: 60 },
    );
  });

  it('is one page at most when every section is long', () => {
    const sentence = (section: number, n: number): string =>
      `Section ${section} says ${Array.from({ length: 25 }, (_, i) => `w${section}x${n}x${i}`).join(' ')}.`;
    const text = Array.from({ length: 12 }, (_, i) => `## Part ${i}\n\n${sentence(i, 1)} ${sentence(i, 2)} ${sentence(i, 3)}`).join('\n\n');
    const { words } = brief(text);
    expect(words).toBeGreaterThan(300);
    expect(words).toBeLessThanOrEqual(450);
  });

  it('is the same page every time', () => expect(brief(journal)).toEqual(brief(journal)));

  it('says nothing twice', () => {
    const lines = brief(journal).parts.flatMap((one) => one.lines.map((line) => line.replace(/^\*\*.+?:\*\* /, '')));
    expect(new Set(lines).size).toBe(lines.length);
  });

  it('keeps to words in scripts without spaces', () => {
    expect(part('# 庭\n\n四月に霜でトマトの苗が十二本枯れました。残りは五月三日に覆いました。', 'Purpose')).toEqual([
      '四月に霜でトマトの苗が十二本枯れました。',
      '残りは五月三日に覆いました。',
    ]);
    expect(countWords('四月に霜')).toBeGreaterThan(1);
  });
});

it('finds slips without understanding a word', () => {
  const text = `# T\n\n## Empty\n\n## Full\n\nThe the tap is is broken. TODO: mend. ${'word '.repeat(45)}end.`;
  expect(mechanicalSlips(parseMarkdown(text))).toEqual([
    'Placeholder left in “Full”: “TODO”.',
    'Word twice in “Full”: “The the”.',
    'Word twice in “Full”: “is is”.',
    expect.stringMatching(/^Word twice/),
    expect.stringMatching(/^A sentence of 4\d words in “Full”/),
    'Heading with nothing under it: “Empty”.',
  ]);
});
