// Proves: replicas come and go, and no turn fails for it; a chat has one turn, however many gateways are asked.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ChatRequest, ScriptStep } from '@skillgate/testing/script';
import { setTimeout as pause } from 'node:timers/promises';
import { readAnswer } from './test-house.fixture.js';
import { startTwoOfEach } from './two-of-each.fixture.js';

const messages = [{ role: 'user', content: 'Go.' }];
type House = Awaited<ReturnType<typeof startTwoOfEach>>;

describe('a house with several of each', () => {
  let t: House;
  beforeAll(async () => {
    t = await startTwoOfEach();
  }, 90_000);
  afterAll(() => t.stop(), 30_000);

  it('takes one of two turns in a chat that two gateways get at the same moment; the other gets 409', async () => {
    t.model.extend([{ text: 'First.' }]);
    const { chat } = await readAnswer(await t.ask(t.gateways[0], { messages }));
    for (let round = 0; round < 5; round += 1) {
      let open = () => undefined as void;
      const held = new Promise<void>((resolve) => (open = resolve));
      t.model.extend([{ text: ['Still ', () => held, 'here.'] }]);
      const both = await Promise.all(t.gateways.map((gateway) => t.ask(gateway, { messages, skillgate: { chat_id: chat } })));
      expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
      const [taken, refused] = both[0]!.ok ? [both[0]!, both[1]!] : [both[1]!, both[0]!];
      expect(await refused.json()).toMatchObject({ error: { code: 'turn-in-progress' } });
      open();
      expect((await readAnswer(taken)).text).toBe('Still here.');
    }
    t.model.assertConsumed();
  }, 30_000);

  it('replaces an orchestrator under load, and every turn finishes', async () => {
    const second = await t.orchestrator();
    const turns = 24;
    // Each model call takes more than a second, and a turn three of them: the drain has less.
    const step = async ({ messages: all }: ChatRequest): Promise<ScriptStep> => {
      const rounds = all.filter(({ role }) => role === 'tool').length;
      return rounds < 2 ? { delayMs: 1_200, toolCalls: [{ name: 'list_skills' }] } : { text: ['All ', () => pause(1_200), 'done.'] };
    };
    t.model.extend(Array.from({ length: turns * 6 }, () => step));
    const answers = Promise.all(Array.from({ length: turns }, async (_, n) => readAnswer(await t.ask(t.gateways[n % 2]!, { messages }))));
    await pause(900);
    await second.stop(3_000); // as SIGTERM does
    const ends = await answers;
    const errors = ends.flatMap(({ chunks }) => chunks.flatMap(({ error }) => (error ? [error] : [])));
    expect(errors).toEqual([]);
    for (const { text } of ends) expect(text.endsWith('All done.')).toBe(true);
    const isTakenOver = ({ name, attributes }: { name: string; attributes: Record<string, unknown> }) => name.startsWith('invoke_agent') && attributes['skillgate.turn.attempt'] === 2;
    expect((await t.house.receiver!.until((spans) => spans.some(isTakenOver))).some(isTakenOver)).toBe(true); // else this test shows nothing
    const routes = await Promise.all(ends.map(async ({ turn }) => ((await (await t.get(`/api/v1/turns/${turn}/route`)).json()) as { status: string; steps: { kind: string }[] })));
    for (const { status, steps } of routes) {
      expect(status).toBe('finished');
      expect(steps.map(({ kind }) => kind)).toEqual(['model', 'tool', 'model', 'tool', 'model']); // what was committed is not done again
    }
  }, 60_000);
});
