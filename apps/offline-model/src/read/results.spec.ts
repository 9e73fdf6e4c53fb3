import { describe, expect, it } from '@jest/globals';
import { failureOf, filesIn, notesIn, pageOf, textOf, withheldIn } from './results.js';

const call = (result: string): { id: string; name: string; arguments: string; result: string } => ({
  id: '1',
  name: 't',
  arguments: '{}',
  result,
});

describe('a failed call', () => {
  it.each([
    ['{"refused":"unknown-artifact","message":"No such file."}', 'No such file.'],
    ['{"error":{"slug":"x","message":"Broken."}}', 'Broken.'],
    ['{"ok":false,"reason":"Too late."}', 'Too late.'],
    ['{"status":"failed"}', 'no reason was given'],
    ['Error: the press is jammed', 'Error: the press is jammed'],
  ])('%s', (result, reason) => expect(failureOf(call(result))).toBe(reason));

  it.each(['{"text":"An error was found."}', '{"error":null,"text":"x"}', 'No errors.', ''])('is not %s', (result) => {
    expect(failureOf(call(result))).toBeUndefined();
  });
});

describe('the text in a result', () => {
  it.each([
    ['{"name":"a.md","text":"Frost."}', 'Frost.'],
    ['{"content":{"text":"Frost."}}', 'Frost.'],
    [`{"note":"short","words":"${'long '.repeat(12).trim()}"}`, 'long '.repeat(12).trim()],
    ['Frost.', 'Frost.'],
  ])('%s', (result, text) => expect(textOf(result)).toBe(text));

  it('is saved from JSON that was cut in its middle', () => {
    const whole = JSON.stringify({ name: 'a.md', text: `First "line".\nSecond. ${'x'.repeat(50)}\nLast line.`, next_offset: null });
    const cut = `${whole.slice(0, 50)}\n[… 40 characters cut from the middle …]\n${whole.slice(-40)}`;
    expect(textOf(cut)).toMatch(/^First "line"\.\nSecond\..*\n\n.*Last line\.$/s);
    expect(pageOf(cut).cut).toBe(true);
  });
});

it('reads pages, notes, files and what was withheld', () => {
  expect(pageOf('{"text":"x","next_offset":12,"total":40}')).toEqual({ next: 12, total: 40, cut: false });
  expect(pageOf('{"text":"x","next_offset":null}')).toMatchObject({ next: undefined, cut: false });
  expect(notesIn('{"notes":["One.",2]}')).toEqual(['One.']);
  expect(filesIn('{"artifact":{"name":"a.docx","mime":"x"},"headings":[{"text":"b.md"}]}')).toEqual(['a.docx']);
  expect(withheldIn('{"withheld":[{"name":"docs","message":"Not served."}]}')).toEqual(['Not served.']);
});
