import { describe, expect, it } from '@jest/globals';
import { runOwnTool } from './own-tools.js';
import { fakeTurn } from './spec-support/fake-context.js';
import { FakeWire } from './spec-support/fake-wire.js';

const entries = [
  { slug: 'meeting-notes', description: 'Minutes of a meeting.' },
  { slug: 'briefing-memo', description: 'A memo before a meeting: one page, for a decision.' },
  { slug: 'travel-plan', description: 'Plan a journey; план поездки.' },
];
const { context } = fakeTurn(new FakeWire(), { entries });
const run = (name: string, args: Record<string, unknown> = {}) => runOwnTool(context, 'c1', name, args);
const listed = (query?: unknown): string[] => (JSON.parse(run('list_skills', { query }).content) as { skills: { slug: string }[] }).skills.map(({ slug }) => slug);

describe('list_skills', () => {
  it.each<[string, unknown, string[]]>([
    ['lists all in the catalog\'s order without a query', undefined, ['meeting-notes', 'briefing-memo', 'travel-plan']],
    ['takes an empty query for none', ' ', ['meeting-notes', 'briefing-memo', 'travel-plan']],
    ['takes a query that is no text for none', { a: 1 }, ['meeting-notes', 'briefing-memo', 'travel-plan']],
    ['puts the line first that meets more words', 'a memo for the meeting', ['briefing-memo', 'meeting-notes', 'travel-plan']],
    ['leaves out what meets no word', 'minutes', ['meeting-notes']],
    ['cares for neither case nor script', 'ПОЕЗДКИ', ['travel-plan']],
  ])('%s', (_, query, slugs) => {
    expect(listed(query)).toEqual(slugs);
  });

  it('says what to do when nothing fits', () => {
    expect(JSON.parse(run('list_skills', { query: 'zebra' }).content)).toEqual({ skills: [], message: expect.stringContaining('Answer without one') });
  });

  it('is a step of the route that asked no executor', () => {
    expect(run('list_skills').step).toMatchObject({ kind: 'tool', callId: 'c1', tool: 'list_skills', decision: 'ok', executor: null, profile: null });
  });
});

describe('a base tool that is not served here', () => {
  it.each(['search_chats', 'fetch_image'])('%s says so and what to do instead', (name) => {
    const { content, step } = run(name);
    expect(JSON.parse(content)).toEqual({ refused: 'not-available-yet', message: expect.stringMatching(/Work with|Ask the user/) });
    expect(step).toMatchObject({ decision: 'refused', reason: 'not-available-yet' });
  });

  it('of another name is unknown', () => {
    expect(run('delete_all').step).toMatchObject({ decision: 'refused', reason: 'unknown-tool' });
  });
});
