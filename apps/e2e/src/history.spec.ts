// Proves: what no context can hold is kept as a file, and a chat that outgrows its model goes on with its skills and tools.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ChatRequest, Script, ScriptStep } from '@skillgate/testing/script';
import { startTestHouse, type TestHouse } from './test-house.fixture.js';

const load = { toolCalls: [{ name: 'load_skill', arguments: { slug: 'briefing-memo' } }] };
const isSummary = ({ messages }: ChatRequest): boolean => String(messages[0]?.content).includes('You write the summary');
const toolTexts = ({ messages }: ChatRequest): string[] => messages.filter(({ role }) => role === 'tool').map(({ content }) => String(content));

describe('a history', () => {
  let t: TestHouse;
  let file: string;
  beforeAll(async () => {
    // The careful default has a window of 32,768 tokens.
    t = await startTestHouse({ SKILLGATE_COMPACT_AT: '0.5' });
    file = await t.upload('long.md', Array.from({ length: 9_000 }, (_, n) => `Line ${n} is here.`).join('\n'));
  }, 60_000);
  afterAll(() => t.stop());

  const read = (limit: number) => ({ toolCalls: [{ name: 'docs_read_text', arguments: { artifact: file, limit } }] });

  it('has the head and the tail of a long result, and the whole is a file of the account', async () => {
    let result = '';
    const done = { expect: (request: ChatRequest) => void (result = toolTexts(request).at(-1)!), text: 'Read.' };
    const answer = await t.turn([load, read(30_000), done], { messages: [{ role: 'user', content: 'Read it.' }] });
    expect(answer.text).toBe('Read.');
    expect(result).toContain('artifact: art_');
    const id = /the whole is the file docs_read_text-\w{6}\.json, artifact: (art_[0-9a-f]{32})/.exec(result)?.[1];
    const kept = await t.get(`/api/v1/artifacts/${id}`);
    expect([kept.status, (await kept.text()).length > 30_000]).toEqual([200, true]);
  });

  it('that outgrows the window is summarised, and the next turns go on with skills and tools', async () => {
    const first = await t.turn([load, { text: 'Loaded.' }], { messages: [{ role: 'user', content: 'Load it.' }] });
    const turn = (script: Script, content: string) => t.turn(script, { messages: [{ role: 'user', content }], skillgate: { chat_id: first.chat } });
    await turn([read(20_000), { text: 'Read 1.' }], 'Read part 1.');
    const summary: ScriptStep = { expect: (request) => expect(isSummary(request)).toBe(true), text: 'Pages were read.' };
    const second = await turn([read(20_000), summary, { text: 'Read 2.' }], 'Read part 2.');
    expect(second.text).toBe('Read 2.');
    const [step] = (await t.route(second.turn)).steps.filter((one) => one.kind === 'model' && one.compacted);
    expect(step).toMatchObject({ finish: 'compacted', compacted: { how: 'summary', reason: null } });
    const last = t.model.requests.at(-1)!;
    expect(last.body).toContain('<summary>\\nPages were read.\\n</summary>');
    expect(last.body.split('name=\\"briefing-memo\\"').length - 1).toBe(1);
    const third = await turn([read(200), { expect: (request) => expect(toolTexts(request).at(-1)).toContain('Line 0 is here.'), text: 'Read 3.' }], 'Read part 3.');
    expect(third.text).toBe('Read 3.');
    expect(t.model.requests.at(-1)!.json.messages.slice(0, last.json.messages.length)).toEqual(last.json.messages);
  });
});
