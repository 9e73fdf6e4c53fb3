// Proves: whatever a model calls, each call id gets exactly one result and the history stays one that providers accept.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ChatRequest, ScriptedToolCall } from '@skillgate/testing/script';
import { startTestHouse, type TestHouse } from './test-house.fixture.js';

const load: ScriptedToolCall = { name: 'load_skill', arguments: { slug: 'briefing-memo' } };
const messages = [{ role: 'user', content: 'Go.' }];

/** The last results, by the name of the call that they answer. A model of which nothing is known gets one call an answer. */
function results({ messages: all }: ChatRequest, count: number): [name: string, result: string][] {
  const calls = all.flatMap((message) => (message.tool_calls ?? []) as { id: string; function: { name: string } }[]);
  const answers = all.filter((message) => message.role === 'tool');
  expect(answers.map((answer) => answer.tool_call_id)).toEqual(calls.map((call) => call.id));
  return calls.map((call, at): [string, string] => [call.function.name, String(answers[at]!.content)]).slice(-count);
}

describe('the calls of a model', () => {
  let t: TestHouse;
  let file: string;
  beforeAll(async () => {
    t = await startTestHouse();
    file = await t.upload('note.md', '# Note\n\nOne line.\n');
  }, 60_000);
  afterAll(() => t.stop());

  /** One round of calls, and what the model reads of it. */
  async function round(calls: ScriptedToolCall[], before: ScriptedToolCall[] = [load]): Promise<[name: string, result: string][]> {
    let seen: [string, string][] = [];
    const opening = before.length > 0 ? [{ toolCalls: before }] : [];
    const answer = await t.turn([...opening, { toolCalls: calls }, { expect: (request) => void (seen = results(request, calls.length)), text: 'Done.' }], { messages });
    expect(answer.text).toBe('Done.');
    return seen;
  }

  it('a load and a read beside it: the load goes first and the read runs', async () => {
    const [loaded, read] = await round([{ name: 'docs_read_text', arguments: { artifact: file } }, load].reverse() as ScriptedToolCall[], []);
    expect(loaded?.[1]).toMatch(/"loaded":"briefing-memo@1\.\d+\.\d+"/);
    expect(read?.[1]).toContain('One line.');
  });

  it('a read named before its load in the same answer runs all the same, and results keep the order of the calls', async () => {
    const [read, loaded] = await round([{ name: 'docs_read_text', arguments: { artifact: file } }, load], []);
    expect(read?.[1]).toContain('One line.');
    expect(loaded?.[1]).toContain('"loaded"');
  });

  it('a tool with effects beside a load waits for the instructions', async () => {
    const [, written] = await round([load, { name: 'docs_write_text', arguments: { file_name: 'a.txt', content: 'x' } }], []);
    expect(written?.[1]).toContain('read-instructions-first');
  });

  it('two calls at once both run', async () => {
    const write = (name: string) => ({ name: 'docs_write_text', arguments: { file_name: name, content: name } });
    const both = await round([write('a.txt'), write('b.txt')]);
    expect(both.map(([, result]) => result)).toEqual([expect.stringContaining('a.txt'), expect.stringContaining('b.txt')]);
  });

  it('a call whose arguments the executor refuses tells the model which field is wrong', async () => {
    const [[, result]] = (await round([{ name: 'docs_read_text', arguments: { artifact: 'nonsense' } }])) as [[string, string]];
    expect(result).toContain('invalid-arguments');
    expect(result).toContain('artifact');
  });

  it('an unknown name gets a refusal that names what is open', async () => {
    const [[, result]] = (await round([{ name: 'docs_translate', arguments: {} }])) as [[string, string]];
    expect(result).toContain('unknown-tool');
    expect(result).toContain('docs_read_text');
  });

  it('a tool of a skill that was not loaded is as unknown as any other', async () => {
    const [[, result]] = (await round([{ name: 'docs_read_text', arguments: { artifact: file } }], [])) as [[string, string]];
    expect(result).toContain('unknown-tool');
  });

  it.each([
    ['empty text', ''],
    ['null', 'null'],
    ['an empty object', '{}'],
  ])('%s for arguments means none', async (_, text) => {
    const [[, result]] = (await round([{ name: 'list_skills', arguments: text, pieces: 'whole' }], [])) as [[string, string]];
    expect(result).toContain('briefing-memo');
  });

  it('arguments that were cut off get a refusal that says so', async () => {
    const [[, result]] = (await round([{ name: 'docs_write_text', arguments: '{"file_name":"a.txt","con', pieces: 'whole' }])) as [[string, string]];
    expect(result).toContain('invalid-arguments');
  });

  it('pieces of two calls that all claim index 0 are two calls', async () => {
    const both = await round([
      { name: 'docs_write_text', arguments: { file_name: 'c.txt', content: 'c' }, index: 0 },
      { name: 'docs_write_text', arguments: { file_name: 'd.txt', content: 'd' }, index: 0 },
    ]);
    expect(both.map(([name]) => name)).toEqual(['docs_write_text', 'docs_write_text']);
  });

  it('the base tools of the house answer: earlier chats by words, and no image from inside', async () => {
    const both = await round(
      [
        { name: 'search_chats', arguments: { query: 'zwetschgenkuchen' } },
        { name: 'fetch_image', arguments: { url: 'http://127.0.0.1:4222/a.png' } },
      ],
      [],
    );
    expect(both[0]![1]).toContain('"chats":[]');
    expect(both[1]![1]).toContain('address-not-public');
  });

  it('a skill that is active already is not loaded twice', async () => {
    const [[, result]] = (await round([load])) as [[string, string]];
    expect(result).toContain('already_active');
  });

  it('a chat goes on with what it loaded: the next turn sees tools and instructions without another load', async () => {
    const first = await t.turn([{ toolCalls: [load] }, { text: 'Loaded.' }], { messages });
    const before = t.model.requests.at(-1)!.json;
    const second = await t.turn(
      [
        { toolCalls: [{ name: 'docs_read_text', arguments: { artifact: file } }] },
        { expect: (request) => expect(results(request, 1)[0]![1]).toContain('One line.'), text: 'Read.' },
      ],
      { messages: [{ role: 'user', content: 'And now read it.' }], skillgate: { chat_id: first.chat } },
    );
    expect(second.text).toBe('Read.');
    const after = t.model.requests.at(-2)!.json;
    expect(after.messages.slice(0, before.messages.length)).toEqual(before.messages);
    expect((await t.route(second.turn)).steps.find((step) => step.kind === 'tool')?.kind).toBe('tool');
  });
});
