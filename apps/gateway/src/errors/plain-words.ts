import type { z } from 'zod';

/** What the schema calls it, and what people do. */
const kinds: Readonly<Record<string, string>> = {
  ...{ string: 'a text', number: 'a number', int: 'a whole number', boolean: 'true or false', null: 'null' },
  ...{ object: 'an object', record: 'an object', array: 'a list' },
};
const formats: Readonly<Record<string, string>> = {
  uuid: 'an id such as 3f2b8c1e-5d47-4a9b-8e60-1c2d3e4f5a6b',
  datetime: 'a time such as 2026-12-01T09:00:00Z',
  date: 'a day such as 2026-12-01',
  url: 'a whole address such as https://example.com/',
  email: 'an e-mail address',
};

/** Says what a value must be to whoever sent it, where its schema has no words of its own: an error map of zod. */
export function plainWords(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return `${issue.input === undefined ? 'is missing; it ' : ''}must be ${kinds[issue.expected] ?? issue.expected}.`;
    case 'invalid_value':
      return `must be ${issue.values.length === 1 ? '' : 'one of '}${issue.values.map((value) => JSON.stringify(value)).join(', ')}.`;
    case 'invalid_format':
      return `must be ${formats[issue.format] ?? 'written in another form; GET /openapi.json says which'}.`;
    case 'too_small':
      return issue.origin === 'string' && Number(issue.minimum) === 1 ? 'must not be empty.' : bound(issue.origin, issue.inclusive === false ? 'more than' : 'at least', issue.minimum);
    case 'too_big':
      return bound(issue.origin, issue.inclusive === false ? 'less than' : 'at most', issue.maximum);
    default:
      return undefined;
  }
}

function bound(origin: string, words: string, number: number | bigint): string {
  if (origin === 'string') return `must have ${words} ${counted(number, 'character')}.`;
  return ['array', 'set', 'map', 'object'].includes(origin) ? `must have ${words} ${counted(number, 'entry', 'entries')}.` : `must be ${words} ${number}.`;
}

const counted = (number: number | bigint, one: string, more = `${one}s`): string => `${number} ${Number(number) === 1 ? one : more}`;
