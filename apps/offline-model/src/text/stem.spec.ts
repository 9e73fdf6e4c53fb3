import { describe, expect, it } from '@jest/globals';
import { stem } from './stem.js';
import { stemsOf } from './words.js';

describe('stemming', () => {
  it.each([
    ['summaries', 'summary', 'summarise', 'summarising', 'summarized'],
    ['note', 'notes', 'noted'],
    ['plan', 'plans', 'planning', 'planned'],
    ['review', 'reviews', 'reviewing'],
    ['brief', 'briefing', 'briefings'],
    ['decide', 'decided', 'decides'],
    ['write', 'writes', 'writing'],
  ])('brings %s together with its forms', (...forms) => expect(new Set(forms.map(stem)).size).toBe(1));

  it.each([
    ['paper', 'page'],
    ['minute', 'miner'],
    ['chart', 'chat'],
  ])('keeps %s and %s apart', (a, b) => expect(stem(a)).not.toBe(stem(b)));

  it('drops what carries no topic and parts joined words', () => {
    expect(stemsOf('Would you please give me the follow-up of meeting_notes?')).toEqual(['follow', stem('meeting'), stem('notes')]);
  });
});
