// Proves: what an admin says of a profile decides the next load in the house under test: what opens, what the model and the route are told,
// and that a load of which nothing opens brings no instructions. The preview says the same beforehand.
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { ChatRequest } from '@skillgate/testing/script';
import { startTestHouse, type TestHouse } from './test-house.fixture.js';

const messages = [{ role: 'user', content: 'Write a memo.' }];
const lastResult = ({ messages: all }: ChatRequest): string => String(all.filter((message) => message.role === 'tool').at(-1)?.content);

/** It has instructions and opens nothing. */
const plainSkill = 'brainstorming';

interface Preview {
  loadable: boolean;
  tools: { name: string; policy: string; tokens: number }[];
  withheld: { name: string; slug: string; message: string }[];
}

describe('a policy', () => {
  let t: TestHouse;
  let account: string;
  beforeAll(async () => {
    t = await startTestHouse();
    ({ account } = (await (await t.get('/api/v1/me')).json()) as { account: string });
  }, 60_000);
  afterAll(() => t?.stop());
  afterEach(() => say({ read: null, write: null, external: null }));

  const send = (method: string, path: string, body: object): Promise<Response> =>
    fetch(t.house.url + path, {
      method,
      headers: { authorization: `Bearer ${t.house.keys.pro}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const say = async (policy: object) => expect((await send('PATCH', `/api/v1/accounts/${account}/profiles/docs/policy`, policy)).status).toBe(200);
  const preview = async () => (await (await send('POST', '/api/v1/tools:preview', { skill: 'briefing-memo', profiles: ['docs'] })).json()) as Preview;

  /** Loads a skill by name; then calls a tool if one is named. Answers with what the model read. */
  async function load(slug: string, call?: { name: string; arguments: object }) {
    const read: string[] = [];
    let after = '';
    const note = (request: ChatRequest) => {
      read.push(lastResult(request));
      after = JSON.stringify(request.messages.slice(1));
    };
    const { turn } = await t.turn(
      [
        { toolCalls: [{ name: 'load_skill', arguments: { slug } }] },
        ...(call ? [{ expect: note, toolCalls: [call] }] : []),
        { expect: note, text: 'So be it.' },
      ],
      { messages },
    );
    return { result: read[0]!, called: read[1], after, steps: (await t.route(turn)).steps };
  }

  it('of deny on all effects refuses the load with the reason, and no instructions come in', async () => {
    await say({ read: 'deny', write: 'deny' });
    const { loadable, withheld } = await preview();
    expect([loadable, withheld.map(({ name, slug }) => `${name}: ${slug}`)]).toEqual([false, ['docs: policy-denies']]);

    const { result, after, steps } = await load('briefing-memo');
    expect(JSON.parse(result)).toMatchObject({ refused: 'nothing-opened', message: expect.stringContaining(withheld[0]!.message) });
    expect(after).not.toContain('<loaded_skills>');
    expect(steps).toContainEqual(expect.objectContaining({ kind: 'load', decision: 'refused', reason: 'nothing-opened' }));
  });

  it('leaves a skill alone that needs no tool', async () => {
    await say({ read: 'deny', write: 'deny', external: 'deny' });
    const { steps } = await load(plainSkill);
    expect(steps).toContainEqual(expect.objectContaining({ kind: 'load', skill: plainSkill, decision: 'loaded' }));
  });

  it('of confirm on writing opens every tool, says which of them wait for a yes, and lets none of those run', async () => {
    await say({ write: 'confirm' });
    const { tools, withheld } = await preview();
    expect(tools.map(({ name, policy }) => [name, policy]).sort()).toEqual([
      ['docs_generate_docx', 'confirm'],
      ['docs_read_docx', 'allow'],
      ['docs_read_text', 'allow'],
      ['docs_write_text', 'confirm'],
    ]);
    expect(withheld).toEqual([]);
    const { turn } = await t.turn(['load_skill', 'docs_write_text'].map((name, at) => ({ toolCalls: [{ name, arguments: at ? { file_name: 'a.txt', content: 'x' } : { slug: 'briefing-memo' } }] })), { messages });
    const { approvals } = (await (await t.get('/api/v1/approvals')).json()) as { approvals: { id: string; turn: string; tool: string }[] };
    expect(approvals).toMatchObject([{ turn, tool: 'docs_write_text' }]);
    t.model.extend([{ text: 'Then not.' }]);
    expect((await send('POST', `/api/v1/approvals/${approvals[0]!.id}/deny`, { reason: 'Not now.' })).status).toBe(200);
    expect(await (await t.get(`/api/v1/turns/${turn}/stream`)).text()).toContain('Then not.');
  });

  it('that is taken back opens everything again', async () => {
    await say({ read: 'deny', write: 'deny' });
    await say({ read: null, write: null });
    const { loadable, tools } = await preview();
    expect([loadable, tools.length, tools.every(({ tokens }) => tokens > 0)]).toEqual([true, 4, true]);
    const { steps } = await load('briefing-memo');
    expect(steps).toContainEqual(expect.objectContaining({ kind: 'load', decision: 'loaded', opened: expect.arrayContaining(['docs_write_text']) }));
  });
});
