// Proves: an executor that does not come with the house, here one without any of our libraries, is let in by its name, approved
// visibly, called by an operator and by a model, and what it says while it works reaches the user.
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { root } from '@skillgate/standalone/run-from-source';
import { callArguments } from '../../../tools/src/call-arguments.js';
import { runCall } from '../../../tools/src/run-call.js';
import { runToolsList } from '../../../tools/src/run-tools-list.js';
import { startTestHouse } from './test-house.fixture.js';

let t: Awaited<ReturnType<typeof startTestHouse>>;
let plain: ChildProcess;
const told: string[] = [];

/** Ends when it holds; an announcement is heard within moments. */
async function until(holds: () => boolean): Promise<void> {
  for (const end = Date.now() + 20_000; !holds(); await new Promise((resolve) => setTimeout(resolve, 50))) if (Date.now() > end) throw new Error('it did not come to hold in 20 s');
}
const call = async (words: string[]) => {
  const lines: string[] = [];
  const code = await runCall(callArguments([...words, '--account', 'pro']), t.stateDir, (line) => lines.push(line));
  return { code, lines };
};

beforeAll(async () => {
  t = await startTestHouse({}, ['plain'], (line) => told.push(line));
  plain = spawn(process.execPath, [join(root, 'examples/executor-plain/executor.mjs')], { env: { ...process.env, ...t.house.guests.plain }, stdio: 'inherit' });
  await until(() => told.some((line) => line.includes('plain_repeat')));
}, 120_000);
afterAll(async () => {
  plain?.kill('SIGTERM');
  await t?.stop();
}, 60_000);

describe('a guest', () => {
  it('is approved tool by tool, in words', () => {
    expect(told).toEqual(expect.arrayContaining(['plain_count_words (docs, read', 'plain_add_note (docs, write'].map((facts) => expect.stringContaining(`approved plain: ${facts}`))));
  });

  it('is listed by bin/skillgate tools', async () => {
    const lines: string[] = [];
    expect(await runToolsList({ json: false, help: false, executor: 'plain' }, t.stateDir, (line) => lines.push(line))).toBe(0);
    expect(lines).toEqual(expect.arrayContaining(['plain@0.1.0, 1 instance', '  plain_add_note  docs, write: approved']));
    expect(lines.some((line) => line.includes('docs_'))).toBe(false);
  });

  it('is called by bin/skillgate call, and the account can read that it was', async () => {
    const { code, lines } = await call(['plain_count_words', '{"text":"one two three"}']);
    expect({ code, result: JSON.parse(lines[1]!) as unknown }).toEqual({ code: 0, result: { words: 3 } });
    const { account } = (await (await t.get('/api/v1/me')).json()) as { account: string };
    const { entries } = (await (await t.get(`/api/v1/audit?account=${account}&action=grant-tool`)).json()) as { entries: { target: string; actor: { roles: string[] } }[] };
    expect(entries).toMatchObject([{ target: 'plain_count_words', actor: { roles: expect.arrayContaining(['operator']) } }]);
  });

  it.each<[string, string[], string]>([
    ['arguments that do not fit', ['plain_count_words', '{"txt":1}'], 'is not an argument'],
    ['a tool that there is not', ['plain_nothing', '{}'], 'bin/skillgate tools lists what there is'],
  ])('refuses %s in its own words', async (_what, words, message) => {
    const { code, lines } = await call(words);
    expect([code, lines.join(' ')]).toEqual([1, expect.stringContaining(message)]);
  });

  it('is called by an operator alone', async () => {
    const { account } = (await (await t.get('/api/v1/me')).json()) as { account: string };
    expect((await t.post(`/api/v1/accounts/${account}/tools/plain_count_words/call`, { arguments: { text: 'x' } })).status).toBe(403);
  });

  it('is called by the model of a skill that opens its profile, and its progress reaches the user', async () => {
    const answer = await t.turn(
      [
        { toolCalls: [{ name: 'load_skill', arguments: { slug: 'briefing-memo' } }] },
        { toolCalls: [{ name: 'plain_add_note', arguments: { text: 'Milk.' } }] },
        { text: 'Noted.' },
      ],
      { messages: [{ role: 'user', content: 'Note this.' }], skillgate: { progress: true } },
    );
    const working = answer.chunks.flatMap((chunk) => (chunk.skillgate?.progress?.stage === 'working' ? [chunk.skillgate.progress] : []));
    expect(working).toMatchObject([{ tool: 'plain_add_note', message: 'Writing the note', fraction: 0.5 }]);
    const { steps } = await t.route(answer.turn);
    expect(steps.flatMap((step) => (step.kind === 'tool' ? [[step.tool, step.executor, step.decision]] : []))).toEqual([['plain_add_note', 'plain', 'ok']]);
  });
});
