// Proves: a user's chats are listed, found by REST and by the model alike, named, exported whole and deleted with all that belongs to them.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { chatExport } from '@skillgate/contracts/calls/chats';
import type { ChatRequest } from '@skillgate/testing/script';
import { startTestHouse, type Answer, type TestHouse } from './test-house.fixture.js';

let t: TestHouse;
let first: Answer;
let file: string;

const json = async (response: Response) => ({ status: response.status, ...((await response.json()) as Record<string, unknown>) });
const change = async (method: string, path: string, body?: object) =>
  json(
    await fetch(t.house.url + path, {
      method,
      headers: { authorization: `Bearer ${t.house.keys.pro}`, 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    }),
  );

async function until(holds: () => Promise<boolean>): Promise<void> {
  for (let n = 0; n < 200; n++) {
    if (await holds()) return;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error('it did not come to hold in time');
}

beforeAll(async () => {
  t = await startTestHouse();
  const load = { toolCalls: [{ name: 'load_skill', arguments: { slug: 'briefing-memo' } }] };
  const write = { toolCalls: [{ name: 'docs_write_text', arguments: { file_name: 'plums.md', content: '# Plums' } }] };
  first = await t.turn([load, write, { text: 'The plum cakes are in the file.' }], { messages: [{ role: 'user', content: 'How do I bake plum cake?' }] });
  await t.turn([{ text: 'It rains.' }], { messages: [{ role: 'user', content: 'What is the weather?' }] });
  const { artifacts } = (await json(await t.get('/api/v1/artifacts'))) as unknown as { artifacts: { id: string; name: string }[] };
  file = artifacts.find(({ name }) => name === 'plums.md')!.id;
}, 90_000);
afterAll(() => t?.stop());

describe("a user's chats", () => {
  it('are listed with what was asked, the last used first', async () => {
    const { chats } = (await json(await t.get('/api/v1/chats'))) as unknown as { chats: object[] };
    expect(chats).toMatchObject([{ title: 'What is the weather?' }, { title: 'How do I bake plum cake?', chat: first.chat, turns: 1 }]);
    expect(await json(await t.get('/api/v1/chats', t.house.keys.free))).toMatchObject({ chats: [], next: null });
  });

  it('are found by the model in another chat, as by the user', async () => {
    let result = '';
    const seen = ({ messages }: ChatRequest) => void (result = String(messages.findLast(({ role }) => role === 'tool')?.content));
    const call = { toolCalls: [{ name: 'search_chats', arguments: { query: 'baking plums' } }] };
    const asked = await t.turn([call, { expect: seen, text: 'You asked.' }], { messages: [{ role: 'user', content: 'What did I ask about plums?' }] });
    expect(JSON.parse(result)).toMatchObject({ chats: [{ chat: first.chat, snippet: expect.stringMatching(/plum/) }] });
    const found = (await json(await t.get('/api/v1/chats:search?query=plums'))) as unknown as { passages: { chat: string }[] };
    expect(found.passages.map(({ chat }) => chat).sort()).toEqual([first.chat, asked.chat].sort());
    expect((await t.route(asked.turn)).steps.find((step) => step.kind === 'tool')).toMatchObject({ tool: 'search_chats', decision: 'ok' });
    expect(await json(await t.get('/api/v1/chats:search?query=plums', t.house.keys.free))).toMatchObject({ passages: [] });
  });

  it('are named, and exported as one document', async () => {
    expect(await change('PATCH', `/api/v1/chats/${first.chat}`, { title: 'The cake' })).toMatchObject({ status: 200, title: 'The cake', named: true });
    const told = chatExport.parse(await (await t.get(`/api/v1/chats/${first.chat}/export`)).json());
    expect(told).toMatchObject({ format: 'skillgate.chat/1', chat: first.chat, title: 'The cake' });
    const [turn] = told.turns;
    expect(turn).toMatchObject({ turn: first.turn, status: 'finished', artifacts: [{ id: file, name: 'plums.md' }] });
    expect(turn!.messages.filter(({ role }) => role !== 'notice').map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'skills', 'assistant', 'tool', 'assistant']);
    expect((await t.get(`/api/v1/chats/${first.chat}/export`, t.house.keys.free)).status).toBe(404);
  });

  it('are deleted with the files that were made in them, for good', async () => {
    await change('PATCH', `/api/v1/chats/${first.chat}/skills`, { 'meeting-notes': 'never' });
    const mine = await t.upload('mine.md', 'mine');
    expect((await t.get(`/api/v1/artifacts/${file}`)).status).toBe(200);
    expect(await change('DELETE', `/api/v1/chats/${first.chat}`)).toEqual({ status: 200, chat: first.chat, deleted: true });
    for (const path of ['', '/skills', '/export']) expect([path, (await t.get(`/api/v1/chats/${first.chat}${path}`)).status]).toEqual([path, 404]);
    expect((await t.get(`/api/v1/turns/${first.turn}`)).status).toBe(404);
    await until(async () => (await t.get(`/api/v1/artifacts/${file}`)).status === 404);
    expect((await t.get(`/api/v1/artifacts/${mine}`)).status).toBe(200);
    expect(JSON.stringify(await json(await t.get('/api/v1/chats:search?query=cake')))).not.toContain(first.chat);
    const again = await t.post('/v1/chat/completions', { model: 'scripted-model', messages: [{ role: 'user', content: 'x' }], skillgate: { chat_id: first.chat } });
    expect([again.status, ((await again.json()) as { error: { code: string } }).error.code]).toEqual([404, 'unknown-chat']);
    const { entries } = (await json(await t.get('/api/v1/audit?action=delete-chat'))) as unknown as { entries: object[] };
    expect(entries).toMatchObject([{ service: 'orchestrator', target: first.chat, after: null }]);
  });
});
