import { describe, expect, it } from '@jest/globals';
import { searchSkills } from '@skillgate/contracts/calls/catalog';
import { unavailable } from '@skillgate/contracts/refusal';
import { runOwnTool } from './own-tools.js';
import { fakeTurn } from './spec-support/fake-context.js';
import { FakeWire } from './spec-support/fake-wire.js';

const memo = { slug: 'briefing-memo', description: 'A memo before a meeting.', group: 'docs' };
const own = { slug: 'our-way', description: 'How we do it.', source: 'account' as const };

describe('list_skills', () => {
  const answering = (skills: object[], next: string | null = null) => new FakeWire().on(searchSkills, () => ({ skills, loadable: 7, next }) as never);
  const run = (wire: FakeWire, args: Record<string, unknown> = {}) => runOwnTool(fakeTurn(wire).context, 'c1', 'list_skills', args);

  it('shows what the catalog found, labels what the account wrote, and how many there are', async () => {
    const { content } = await run(answering([memo, own]), { query: 'memo' });
    expect(JSON.parse(content)).toEqual({
      skills: [
        { slug: 'briefing-memo', description: 'A memo before a meeting.' },
        { slug: 'our-way', description: 'How we do it.', written_by: 'account' },
      ],
      loadable: 7,
    });
  });

  it.each([
    ['passes the words on', { query: 'memo' }, { query: 'memo' }],
    ['passes the place of the next page on', { after: 'memo' }, { after: 'memo' }],
    ['takes what is no text for nothing', { query: { a: 1 }, after: 3 }, {}],
    ['cuts a query that is a document', { query: 'x'.repeat(3_000) }, { query: 'x'.repeat(2_000) }],
  ])('%s', async (_, args, passed) => {
    const wire = answering([memo]);
    await run(wire, args);
    expect(wire.sent[0]!.input).toEqual({ ticket: expect.any(String), modelUsesTools: true, limit: 20, ...passed });
  });

  it('says where the next page begins', async () => {
    expect(JSON.parse((await run(answering([memo], 'briefing-memo'))).content)).toMatchObject({ next: 'briefing-memo' });
  });

  it('says what to do when nothing fits', async () => {
    expect(JSON.parse((await run(answering([]), { query: 'zebra' })).content)).toMatchObject({ skills: [], message: expect.stringContaining('answer without a skill') });
  });

  it('is a step of the route that asked no executor', async () => {
    expect((await run(answering([memo]))).step).toMatchObject({ kind: 'tool', callId: 'c1', tool: 'list_skills', decision: 'ok', executor: null, profile: null });
  });

  it('tells the model when the catalog is away, and the turn goes on', async () => {
    const wire = new FakeWire().on(searchSkills, () => {
      throw unavailable('no-responder', 'Nobody answers.');
    });
    const { content, step } = await run(wire);
    expect(JSON.parse(content)).toEqual({ error: 'no-responder', message: 'Nobody answers.' });
    expect(step).toMatchObject({ decision: 'failed', reason: 'no-responder' });
  });
});

describe('a base tool that is not served here', () => {
  const run = (name: string) => runOwnTool(fakeTurn(new FakeWire()).context, 'c1', name, {});

  it.each(['search_chats', 'fetch_image'])('%s says so and what to do instead', async (name) => {
    const { content, step } = await run(name);
    expect(JSON.parse(content)).toEqual({ refused: 'not-available-yet', message: expect.stringMatching(/Work with|Ask the user/) });
    expect(step).toMatchObject({ decision: 'refused', reason: 'not-available-yet' });
  });

  it('of another name is unknown', async () => {
    expect((await run('delete_all')).step).toMatchObject({ decision: 'refused', reason: 'unknown-tool' });
  });
});
