// Proves: a chat that outgrows its model's window goes on, with its skills word for word and its tools open.
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { prepareTurn as prepareTurnCall } from '@skillgate/contracts/calls/catalog';
import { resolveTools } from '@skillgate/contracts/calls/registry';
import { renderSchemas } from '@skillgate/prompt/expose';
import type { HistoryItem } from '@skillgate/prompt/history';
import type { ChatRequest, Script } from '@skillgate/testing/script';
import { chatOf, entryOf, modelOf, resolvedOf, skillOf, toolOf } from './spec-support/facts.js';
import { TurnWorld } from './spec-support/turn-world.js';
import type { Unsaved } from './turn-records.js';

const small = modelOf({ contextTokens: 6_000, maxOutputTokens: 500 });
const long = (word: string) => `${word} `.repeat(400);
const user = (content: string): HistoryItem => ({ kind: 'user', content });
const answer = (text: string): HistoryItem => ({ kind: 'assistant', text, calls: [] });
const memo = skillOf('memo', { instructions: 'Always sign memos with the owl.' });
const loads: HistoryItem[] = [
  { kind: 'assistant', text: '', calls: [{ id: 'call_1', name: 'load_skill', arguments: '{"slug":"memo"}' }] },
  { kind: 'result', callId: 'call_1', content: '{"loaded":"memo@1.0.0"}' },
  { kind: 'loaded', skills: [{ slug: 'memo', version: '1.0.0', digest: memo.digest, source: 'platform', instructions: memo.instructions }], callIds: { memo: 'call_1' } },
];
const longChat = [user('Load it.'), ...loads, answer('Loaded.'), ...['fox', 'dog', 'cat', 'cow', 'hen', 'ant', 'bee'].flatMap((word) => [user(`About the ${word}.`), answer(long(word) + long(word))]), user('Go on.')];

const times = (text: string, part: string): number => text.split(part).length - 1;
/** Answers to whatever is asked: summaries with one text, everything else with another. */
const answers = (summary: string, text: string): Script => Array.from({ length: 9 }, () => (request: ChatRequest) => ({ text: isSummary(request) ? summary : text }));
const isSummary = ({ messages, tools }: ChatRequest): boolean => tools === undefined && String(messages[0]?.content).includes('You write the summary');

describe('a chat that is longer than its model reads', () => {
  let world: TurnWorld;
  let chats: Unsaved['chat'][];
  beforeEach(async () => {
    world = await TurnWorld.start();
    chats = [];
    for (const name of ['append', 'end'] as const) {
      const write = world.store[name] as (...args: unknown[]) => Promise<void>;
      world.store[name] = ((...args: [unknown, unknown, Unsaved]) => (chats.push(args[2].chat), write(...args))) as never;
    }
    world.wire.on(prepareTurnCall, () => ({ toolsAllowed: true, entries: [entryOf('memo'), entryOf('fresh')], always: [], loaded: [memo], withheld: [], policyEpoch: 1 }));
  });
  afterEach(() => world.model.close());

  const chat = (history: HistoryItem[]) => chatOf({ history: [...history], pinned: [{ slug: 'memo', version: '1.0.0', digest: memo.digest }], prefix: 'Old.', prefixHash: 'h', prefixTools: true, announced: ['memo'], epoch: 3 });
  const compacted = () => world.steps.flatMap((step) => (step.kind === 'model' && step.compacted ? [step.compacted] : []));
  const sent = () => world.model.requests.map(({ json, body }) => ({ ...json, body }));

  it('goes on behind a summary, with what was said last and the skills as they were, once, under a new epoch', async () => {
    const outcome = await world.run(answers('They spoke of animals.', 'Gone on.'), { chat: chat(longChat), entry: small }).ended;
    expect(outcome).toMatchObject({ status: 'finished', answer: 'Gone on.' }); // nothing of the summary was streamed
    const [asked, second, ...others] = sent();
    const went = others.at(-1);
    expect([asked!, second!].map(isSummary)).toEqual([true, true]); // piece by piece: the whole does not fit
    expect(second!.messages[1]!.content).toMatch(/^<earlier_summary>\nThey spoke of animals\.\n/);
    expect(asked!.body).toContain('fox fox');
    expect(asked!.body).not.toContain('owl'); // skills are state, not transcript
    expect(went!.messages.map(({ role }) => role).slice(0, 3)).toEqual(['system', 'user', 'system']);
    expect(went!.messages[1]!.content).toBe('<summary>\nThey spoke of animals.\n</summary>');
    expect(times(went!.body, 'Always sign memos with the owl.')).toBe(1);
    expect(went!.body).not.toContain('fox fox');
    expect(went!.messages.map(({ content }) => String(content).slice(0, 15))).toEqual(expect.arrayContaining(['About the bee.', 'bee bee bee bee', 'Go on.']));
    expect(went!.tools!.map((tool) => tool.function.name)).toContain('docs_read');
    expect(went!.messages[0]!.content).toContain('fresh'); // the catalog of now
    const last = chats.at(-1)!;
    expect(last).toMatchObject({ epoch: 4, announced: ['fresh', 'memo'], compacted: { items: [{ kind: 'summary' }, { kind: 'loaded' }] } });
    expect(compacted()).toEqual([{ tokensBefore: expect.any(Number), tokensAfter: expect.any(Number), how: 'summary', reason: null }]);
    expect(compacted()[0]!.tokensAfter).toBeLessThan(compacted()[0]!.tokensBefore / 2);
    expect(world.steps.map((step) => step.kind === 'model' && step.finish)).toEqual(['compacted', 'stop']);
    expect(outcome!.usage.promptTokens).toBeGreaterThan(compacted()[0]!.tokensBefore / 3); // the summary is paid for
  });

  it('is summarised once: the next turn reads what is stored and asks for no summary', async () => {
    await world.run(answers('Animals.', 'Gone on.'), { chat: chat(longChat), entry: small }).ended;
    const stored = chats.at(-1)!;
    const next: HistoryItem[] = [...longChat, ...world.items, user('And now?')];
    const asked = sent().length;
    await world.run([], { chat: { ...chat(next), ...stored }, entry: small }).ended;
    const requests = sent();
    expect(requests).toHaveLength(asked + 1);
    const [before, now] = requests.slice(-2).map(({ messages }) => messages);
    expect(now!.slice(0, before!.length)).toEqual(before); // append-only again
    expect(now!.slice(before!.length).map(({ content }) => content)).toEqual(['Gone on.', 'And now?']);
  });

  it.each([
    ['fails', { error: { status: 400 } }, 'model-refused-request'],
    ['says nothing', { text: '' }, 'model-empty'],
  ])('loses its beginning, and is told so, when the summary %s', async (_, step, reason) => {
    const script = Array.from({ length: 9 }, () => (request: ChatRequest) => (isSummary(request) ? step : { text: 'Gone on.' }));
    const outcome = await world.run(script, { chat: chat(longChat), entry: small }).ended;
    expect(outcome).toMatchObject({ status: 'finished', answer: 'Gone on.' });
    const last = sent().at(-1)!;
    expect(last.messages[1]!.content).toMatch(/^<summary>\nThe earlier part of this chat was longer than fits/);
    expect(times(last.body, 'Always sign memos with the owl.')).toBe(1);
    expect(compacted()).toMatchObject([{ how: 'cut', reason }]);
  });

  it('outgrows it in mid-turn: the task stays, no call is parted from its result, and the tools stay open', async () => {
    const read = { toolCalls: [{ name: 'docs_read', arguments: {} }] };
    world.wire.onTool('docs_read', () => ({ content: long('rent') + long('rent') }));
    const history = [user('Load it.'), ...loads, answer('Loaded.'), user('Read all eight.')];
    const script = Array.from({ length: 12 }, () => (request: ChatRequest) => (isSummary(request) ? { text: 'Some were read.' } : sent().filter((one) => !isSummary(one)).length > 8 ? { text: 'Done.' } : read));
    const outcome = await world.run(script, { chat: chat(history), entry: small, limits: { SKILLGATE_TURN_STEPS: 20, SKILLGATE_TURN_CALLS: 20 } }).ended;
    expect(outcome).toMatchObject({ status: 'finished', answer: 'Done.' });
    expect(compacted().length).toBeGreaterThan(0);
    expect(world.steps.filter((step) => step.kind === 'tool')).toMatchObject(Array.from({ length: 8 }, () => ({ decision: 'ok' })));
    for (const { messages, body } of sent().filter((one) => !isSummary(one))) {
      const calls = messages.flatMap(({ tool_calls: each }) => (each ?? []) as { id: string }[]).map(({ id }) => id);
      expect(messages.filter(({ role }) => role === 'tool').map(({ tool_call_id: id }) => id)).toEqual(calls);
      expect(times(body, 'Read all eight.')).toBe(1);
      expect(times(body, 'Always sign memos with the owl.')).toBe(1);
    }
  });

  it('is shortened where we counted too little and the provider says so, and asked once more', async () => {
    const tooLong = { error: { status: 400, code: 'context_length_exceeded' } };
    const outcome = await world.run([tooLong, ...answers('Animals.', 'Gone on.')], { chat: chat(longChat), entry: modelOf() }).ended;
    expect(outcome).toMatchObject({ status: 'finished', answer: 'Gone on.' });
  });

  it('that cannot be shortened ends as too long', async () => {
    const outcome = await world.run([{ error: { status: 400, code: 'context_length_exceeded' } }], { chat: chat([user('Hi')]), entry: modelOf() }).ended;
    expect(outcome).toMatchObject({ status: 'failed', error: { slug: 'model-context-exceeded' } });
  });

  it('shows each schema once more in plan dispatch, and leaves out a skill that may not be used any more', async () => {
    const other: HistoryItem = { kind: 'loaded', skills: [{ slug: 'gone', version: '1.0.0', digest: 'b'.repeat(64), source: 'platform', instructions: 'Howl.' }], callIds: {} };
    world.wire.on(resolveTools, () => resolvedOf([toolOf('docs_read')]));
    const shown = longChat.map((item) => (item.kind === 'loaded' ? { ...item, schemas: renderSchemas([toolOf('docs_read')]) } : item));
    const history = [other, ...shown];
    await world.run(answers('Animals.', 'Gone on.'), { chat: chat(history), entry: { ...small, plan: 'dispatch' } }).ended;
    const { body, messages } = sent().at(-1)!;
    expect(times(body, 'Does docs_read.')).toBe(1);
    expect(body).not.toContain('Howl.');
    expect(messages[2]!.content).toMatch(/owl[^]*<tools>\n\{"name":"docs_read"/);
  });

  it('that is stopped meanwhile ends as stopped', async () => {
    let stop = () => undefined as void;
    const run = world.run([{ text: [() => (stop(), new Promise(() => undefined))] }], { chat: chat(longChat), entry: small });
    stop = () => void world.turns.cancel(run.turn.turn, new Error('stopped'));
    expect(await run.ended).toMatchObject({ status: 'failed' });
    expect(compacted()).toEqual([]);
  });
});
