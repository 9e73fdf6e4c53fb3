// Proves: what is not allowed is neither shown nor loadable nor callable, whoever names it.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ChatRequest } from '@skillgate/testing/script';
import { modelId, startTestHouse, type TestHouse } from './test-house.fixture.js';

const messages = [{ role: 'user', content: 'Write a memo.' }];
const lastResult = ({ messages: all }: ChatRequest): string => String(all.filter((message) => message.role === 'tool').at(-1)?.content);

describe('the gates', () => {
  let t: TestHouse;
  beforeAll(async () => {
    t = await startTestHouse();
  }, 60_000);
  afterAll(() => t.stop());

  /** Loads a skill by name and answers with what the model reads. */
  async function load(slug: string, skillgate: object = {}): Promise<{ result: string; turn: string; catalog: string }> {
    let result = '';
    let catalog = '';
    const answer = await t.turn(
      [
        { expect: (request) => void (catalog = String(request.messages[0]!.content)), toolCalls: [{ name: 'load_skill', arguments: { slug } }] },
        { expect: (request) => void (result = lastResult(request)), text: 'So be it.' },
      ],
      { messages, skillgate },
    );
    return { result, turn: answer.turn, catalog };
  }

  it('a free account gets plain chat: no tools field, no catalog', async () => {
    const answer = await t.turn([{ text: 'Hello.' }], { messages }, t.house.keys.free);
    const sent = t.model.requests.at(-1)!;
    expect(answer.text).toBe('Hello.');
    expect(sent.json).not.toHaveProperty('tools');
    expect(sent.body).not.toContain('available_skills');
    expect(sent.body).not.toContain('load_skill');
  });

  it('a tool that a model calls on a free account is answered as unknown and runs nowhere', async () => {
    const answer = await t.turn(
      [{ toolCalls: [{ name: 'docs_write_text', arguments: { file_name: 'a.txt', content: 'x' } }] }, { text: 'I cannot.' }],
      { messages },
      t.house.keys.free,
    );
    const route = await t.route(answer.turn, t.house.keys.free);
    expect(route.steps.filter((step) => step.kind === 'tool')).toEqual([expect.objectContaining({ decision: 'refused', executor: null })]);
  });

  it('a skill that this turn sets to never is neither listed nor loadable', async () => {
    const { result, turn, catalog } = await load('briefing-memo', { skills: { 'briefing-memo': 'never' } });
    expect(catalog).not.toContain('- briefing-memo');
    expect(result).toContain('skill-never');
    expect((await t.route(turn)).steps).toContainEqual(expect.objectContaining({ kind: 'load', decision: 'refused', reason: 'skill-never' }));
  });

  it('a hidden skill is not listed, and naming it opens nothing', async () => {
    const { result, turn, catalog } = await load('house-style');
    expect(catalog).not.toContain('house-style');
    expect(JSON.parse(result)).toMatchObject({ refused: 'unknown-skill' });
    expect(result.replaceAll('house-style', 'no-such-skill')).toBe((await load('no-such-skill')).result);
    expect((await t.route(turn)).steps).toContainEqual(expect.objectContaining({ kind: 'load', reason: 'skill-hidden' }));
    expect(JSON.stringify(t.model.requests.at(-1)!.json.messages.slice(1))).not.toContain('<loaded_skills>');
  });

  it('a skill that is withheld says what is missing, to the model and in the route', async () => {
    const { result, turn } = await load('slack-messaging');
    expect(result).toContain('skill-unmet');
    expect((await t.route(turn)).withheld).toContainEqual(expect.objectContaining({ slug: 'slack-messaging', usable: false }));
  });

  it('an unknown skill is refused with a hint', async () => {
    expect((await load('no-such-skill')).result).toContain('unknown-skill');
  });

  it('an always skill is in the first request, and its tools are open without a load', async () => {
    await t.turn(
      [
        {
          expect: (request) => expect(JSON.stringify(request.messages)).toContain('<loaded_skills>'),
          toolCalls: [{ name: 'docs_write_text', arguments: { file_name: 'a.txt', content: 'x' } }],
        },
        { expect: (request) => expect(lastResult(request)).toContain('art_'), text: 'Written.' },
      ],
      { messages, skillgate: { skills: { 'briefing-memo': 'always' } } },
    );
  });

  it('the account says never, and the next turn obeys', async () => {
    const put = await fetch(`${t.house.url}/api/v1/me/skills/meeting-notes`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${t.house.keys.pro}`, 'content-type': 'application/json' },
      body: JSON.stringify({ state: 'never' }),
    });
    expect(put.status).toBe(200);
    expect((await load('meeting-notes')).result).toContain('skill-never');
  });

  it("another account's turn, route and files do not exist", async () => {
    const answer = await t.turn([{ text: 'Mine.' }], { messages });
    expect((await t.get(`/api/v1/turns/${answer.turn}/route`, t.house.keys.free)).status).toBe(404);
    const foreign = await t.post('/v1/chat/completions', { model: modelId, messages, skillgate: { chat_id: answer.chat } }, t.house.keys.free);
    expect(foreign.status).toBe(404);
  });

  it('a wrong key gets 401 in the shape of the vendor', async () => {
    const answer = await t.post('/v1/chat/completions', { model: modelId, messages }, 'sk-sg-wrong');
    expect(answer.status).toBe(401);
    expect(await answer.json()).toMatchObject({ error: { code: expect.any(String), message: expect.any(String) } });
  });
});
