// Proves: a turn is in the journal before anybody hears of its end, and nothing waits that need not.
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { prepareTurn as prepareTurnCall } from '@skillgate/contracts/calls/catalog';
import { resolveTools } from '@skillgate/contracts/calls/registry';
import { refuse, unavailable } from '@skillgate/contracts/refusal';
import type { ChatRequest } from '@skillgate/testing/script';
import { chatOf, skillOf } from './spec-support/facts.js';
import { gate, TurnWorld } from './spec-support/turn-world.js';
import type { ChatState } from './turn-records.js';

const load = { toolCalls: [{ name: 'load_skill', arguments: { slug: 'memo' } }] };

describe('a turn', () => {
  let world: TurnWorld;
  beforeEach(async () => {
    world = await TurnWorld.start();
  });
  afterEach(() => world.model.close());

  it('is committed before anybody hears that it ended', async () => {
    const outcome = await world.run([{ text: ['Good ', 'day'], usage: { prompt: 9, completion: 2, cached: 4 } }]).ended;
    expect(world.events).toEqual(['accepted', 'thinking', 'delta', 'end', 'ended']);
    expect(outcome).toMatchObject({ status: 'finished', answer: 'Good day', finishReason: 'stop', usage: { promptTokens: 9, completionTokens: 2, cachedTokens: 4 } });
    expect(world.items).toEqual([{ kind: 'assistant', text: 'Good day', calls: [] }]);
    expect(world.steps).toMatchObject([{ kind: 'model', inputTokens: 9, finish: 'stop' }]);
    expect(world.model.requests[0]?.json).toMatchObject({ temperature: 0, stream: true });
  });

  it('sums the usage of its model calls, and counts it where the provider reports none', async () => {
    const outcome = await world.run([{ ...load, usage: { prompt: 1_000, completion: 10 } }, { text: 'Good day to you.', usage: null }]).ended;
    const { promptTokens = 0, completionTokens = 0 } = outcome?.usage ?? {};
    expect(promptTokens).toBeGreaterThan(1_200); // the second request holds base, catalog, tools and instructions
    expect(completionTokens).toBeGreaterThan(12);
    expect(completionTokens).toBeLessThan(20);
    expect(world.steps.at(-1)).toMatchObject({ kind: 'model', inputTokens: null });
  });

  it('asks the catalog while its beginning is being committed, and says nothing before', async () => {
    const commit = gate();
    const run = world.run([{ text: 'Hi' }], { begun: commit.wait() });
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(world.wire.count(prepareTurnCall.subject)).toBe(1);
    expect(world.events).toEqual([]);
    expect(world.model.requests).toHaveLength(0);
    commit.open();
    expect(await run.ended).toMatchObject({ answer: 'Hi' });
  });

  it('that could not be begun has not happened', async () => {
    const outcome = await world.run([], { begun: Promise.reject(unavailable('database-down', 'away')) }).ended;
    expect(outcome).toBeUndefined();
    expect([world.events, world.items, world.turns.size]).toEqual([[], [], 0]);
  });

  it('asks the model on while its last round is being written down, and ends behind that', async () => {
    const [commit, second] = [gate(), gate()];
    const { append } = world.store;
    world.store.append = async (...args) => {
      await commit.wait();
      return append(...args);
    };
    const run = world.run([load, { text: [second.wait, 'Done.'] }]);
    await Promise.all([commit.arrived, second.arrived]); // both at once
    second.open();
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(world.events).not.toContain('end');
    commit.open();
    expect(await run.ended).toMatchObject({ answer: 'Done.' });
    expect(world.events.filter((event) => event !== 'delta').slice(-3)).toEqual(['commit', 'end', 'ended']); // text goes out when it likes
    expect(world.items.map(({ kind }) => kind)).toEqual(['assistant', 'result', 'loaded', 'assistant']);
  });

  it('whose account is downgraded in mid-turn has its next call refused, tells the model why, and changes nothing that was sent', async () => {
    const read = { toolCalls: [{ name: 'docs_read', arguments: {} }] };
    let reads = 0;
    world.wire.onTool('docs_read', () => {
      reads += 1;
      world.wire.on(prepareTurnCall, () => ({ toolsAllowed: false, entries: [], always: [], loaded: [], withheld: [], policyEpoch: 2 }));
      world.wire.on(resolveTools, () => {
        throw refuse('tools-not-allowed', 'This account has plain chat only; move it to a tier that includes tools.', { policyEpoch: 2 });
      });
      world.epochs.raise(run.turn.account, 2);
      return { content: 'text' };
    });
    const last = ({ messages }: ChatRequest) => String(messages.at(-1)?.content);
    const run = world.run([
      load,
      read,
      { ...read, expect: (request) => expect(last(request)).toContain('plain chat only now') },
      (request) => ({ text: `I could not read it again: ${(JSON.parse(last(request)) as { message: string }).message}` }),
    ]);
    expect(await run.ended).toMatchObject({ status: 'finished', answer: expect.stringContaining('move it to a tier that includes tools') });
    expect(reads).toBe(1);
    expect(world.steps.filter(({ kind }) => kind === 'tool')).toMatchObject([{ decision: 'ok' }, { decision: 'refused', reason: 'tools-not-allowed' }]);
    const sent = world.model.requests.map(({ json }) => json);
    for (const [n, { messages, tools }] of sent.slice(2).entries()) {
      const before = sent[n + 1]!;
      expect(messages.slice(0, before.messages.length)).toEqual(before.messages);
      expect(tools).toEqual(before.tools);
    }
  });

  it('whose answer stopped at its length is an answer', async () => {
    const outcome = await world.run([{ text: 'As far as', finish: 'length' }]).ended;
    expect(outcome).toMatchObject({ status: 'finished', finishReason: 'length', answer: 'As far as' });
  });

  it('of an account without tools sends no tools and a flat history', async () => {
    world.wire.on(prepareTurnCall, () => ({ toolsAllowed: false, entries: [], always: [], loaded: [], withheld: [], policyEpoch: 1 }));
    const history: ChatState['history'] = [
      { kind: 'user', content: 'Read it.' },
      { kind: 'assistant', text: '', calls: [{ id: 'c', name: 'docs_read', arguments: '{}' }] },
      { kind: 'result', callId: 'c', content: 'The rent is due.' },
      { kind: 'loaded', skills: [skillOf('memo')], callIds: {} },
      { kind: 'assistant', text: '[This answer was interrupted: turn-interrupted.]', calls: [] },
      { kind: 'user', content: 'And?' },
    ];
    await world.run([{ text: 'Nothing.' }], { chat: chatOf({ history }) }).ended;
    const { json, body } = world.model.requests[0]!;
    expect(json).not.toHaveProperty('tools');
    expect(json.messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user']);
    expect(body).toContain('The rent is due.');
    expect(body).not.toContain('How to do memo');
  });

  it('measures where its tokens go', async () => {
    let tokens: Record<string, number> = {};
    const { end } = world.store;
    world.store.end = (turn, from, ending) => {
      tokens = ending.facts?.tokens ?? {};
      return end(turn, from, ending);
    };
    await world.run([load, { text: 'Done.' }]).ended;
    for (const part of ['base', 'catalog', 'loaded', 'tools', 'conversation']) expect(tokens[part]).toBeGreaterThan(0);
    expect(tokens.monolith).toBeGreaterThan(1_500 + tokens.base!);
  });
});
