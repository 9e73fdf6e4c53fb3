// Proves: however a turn ends, journal and stream say so, in this order, and the chat stays one that providers accept.
import { trace } from '@opentelemetry/api';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { loadSkill as loadSkillCall, prepareTurn as prepareTurnCall } from '@skillgate/contracts/calls/catalog';
import { resolveTools } from '@skillgate/contracts/calls/registry';
import { refuse, unavailable } from '@skillgate/contracts/refusal';
import { turnOutcome, type TurnMessage, type TurnOutcome } from '@skillgate/contracts/turn-stream';
import { makeLog } from '@skillgate/service-kit/log';
import type { Script } from '@skillgate/testing/script';
import { type ScriptedModel, startScriptedModel } from '@skillgate/testing/scripted-model';
import { repair } from '@skillgate/prompt/repair-history';
import { ActiveTurns } from './active-turns.js';
import type { OrchestratorConfig } from './config.js';
import { cancelledByUser } from './keep-lease.js';
import { type LaunchParts, launchTurn } from './launch-turn.js';
import { modelClient } from './model-client.js';
import { chatOf, entryOf, modelOf, resolvedOf, skillOf, toolOf, turnOf } from './spec-support/facts.js';
import { FakeWire } from './spec-support/fake-wire.js';
import type { ChatState, NewTurn, Unsaved } from './turn-records.js';
import type { TurnStore } from './turn-store.js';
import { WorkingCalls } from './working-calls.js';

const load = { toolCalls: [{ name: 'load_skill', arguments: { slug: 'memo' } }] };
const config = { SKILLGATE_TURN_STEPS: 4, SKILLGATE_TURN_CALLS: 8, SKILLGATE_TURN_MS: 30_000, SKILLGATE_MODEL_STALL_MS: 5_000 } as OrchestratorConfig;

/** A place in a model's answer, or in a commit, where the test does something. */
function gate() {
  let reach = () => undefined as void;
  let open = () => undefined as void;
  const arrived = new Promise<void>((resolve) => (reach = resolve));
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { arrived, open: () => open(), wait: () => (reach(), opened) };
}

describe('a turn', () => {
  let model: ScriptedModel;
  let wire: FakeWire;
  /** What happened, in order: `commit`, `end`, and the kinds of what was published. */
  let events: string[];
  let items: Unsaved['items'];
  let steps: Unsaved['steps'];
  let logged: string[];
  let turns: ActiveTurns;
  let store: Pick<TurnStore, 'append' | 'end' | 'renew'>;
  beforeEach(async () => {
    model = await startScriptedModel();
    [events, logged, items, steps] = [[], [], [], []];
    wire = new FakeWire()
      .on(prepareTurnCall, () => ({ toolsAllowed: true, entries: [entryOf('memo')], always: [], loaded: [], withheld: [], policyEpoch: 1 }))
      .on(loadSkillCall, () => ({ ...skillOf('memo'), layer: 'default' as const, policyEpoch: 1 }))
      .on(resolveTools, () => resolvedOf([toolOf('docs_read')]))
      .onTool('docs_read', () => ({ content: 'text' }));
    const take = (event: string) => async (_: unknown, __: unknown, unsaved: Unsaved) => {
      events.push(event);
      items.push(...unsaved.items);
      steps.push(...unsaved.steps);
    };
    store = { append: take('commit'), end: take('end'), renew: async () => ({ held: true, cancelRequested: false }) };
  });
  afterEach(() => model.close());

  interface Run {
    turn: NewTurn;
    ended: Promise<TurnOutcome | undefined>;
  }
  function start(script: Script, { limits = {}, chat = chatOf(), begun = Promise.resolve() }: { limits?: Partial<OrchestratorConfig>; chat?: ChatState; begun?: Promise<void> } = {}): Run {
    model.extend(script);
    const log = makeLog('orchestrator', 'trace', { write: (line: string) => void logged.push(line) });
    turns = new ActiveTurns(log);
    let outcome: TurnOutcome | undefined;
    const publishTurn = (_: string, { body }: TurnMessage) => {
      events.push(body.type === 'progress' ? body.progress.stage : body.type);
      if (body.type === 'ended') outcome = turnOutcome.parse(body.outcome);
    };
    const parts = {
      config: { ...config, ...limits },
      client: modelClient({ SKILLGATE_MODEL_BASE_URL: model.url, SKILLGATE_MODEL_API_KEY: 'none' }),
      monolith: async () => ({ bodiesTokens: 1_000, allToolsTokens: 500 }),
      wire: { ...wire.wire, publishTurn },
      tracer: trace.getTracer('spec'),
      working: new WorkingCalls(),
      ...{ store, turns, log },
    } as unknown as LaunchParts;
    const turn = turnOf({ items: chat.history });
    launchTurn(parts, { turn, ticket: 'ticket', entry: modelOf(), sampling: { temperature: 0 }, chat, begun });
    return { turn, ended: turns.drain(60_000).then(() => outcome) };
  }
  const lastItem = () => items.at(-1);

  it('is committed before anybody hears that it ended', async () => {
    const outcome = await start([{ text: ['Good ', 'day'], usage: { prompt: 9, completion: 2, cached: 4 } }]).ended;
    expect(events).toEqual(['accepted', 'thinking', 'delta', 'end', 'ended']);
    expect(outcome).toMatchObject({ status: 'finished', answer: 'Good day', finishReason: 'stop', usage: { promptTokens: 9, completionTokens: 2, cachedTokens: 4 } });
    expect(items).toEqual([{ kind: 'assistant', text: 'Good day', calls: [] }]);
    expect(steps).toMatchObject([{ kind: 'model', inputTokens: 9, finish: 'stop' }]);
    expect(model.requests[0]?.json).toMatchObject({ temperature: 0, stream: true });
  });

  it('sums the usage of its model calls, and counts it where the provider reports none', async () => {
    const outcome = await start([{ ...load, usage: { prompt: 1_000, completion: 10 } }, { text: 'Good day to you.', usage: null }]).ended;
    const { promptTokens = 0, completionTokens = 0 } = outcome?.usage ?? {};
    expect(promptTokens).toBeGreaterThan(1_200); // the second request holds base, catalog, tools and instructions
    expect(completionTokens).toBeGreaterThan(12);
    expect(completionTokens).toBeLessThan(20);
    expect(steps.at(-1)).toMatchObject({ kind: 'model', inputTokens: null });
  });

  it('asks the catalog while its beginning is being committed, and says nothing before', async () => {
    const commit = gate();
    const run = start([{ text: 'Hi' }], { begun: commit.wait() });
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(wire.count(prepareTurnCall.subject)).toBe(1);
    expect(events).toEqual([]);
    expect(model.requests).toHaveLength(0);
    commit.open();
    expect(await run.ended).toMatchObject({ answer: 'Hi' });
  });

  it('that could not be begun has not happened', async () => {
    const outcome = await start([], { begun: Promise.reject(unavailable('database-down', 'away')) }).ended;
    expect(outcome).toBeUndefined();
    expect([events, items]).toEqual([[], []]);
    expect(turns.size).toBe(0);
  });

  it('asks the model on while its last round is being written down, and ends behind that', async () => {
    const { arrived, open, wait } = gate();
    const { append } = store;
    store.append = async (...args) => {
      await wait();
      return append(...args);
    };
    const second = gate();
    const run = start([load, { text: [second.wait, 'Done.'] }]);
    await Promise.all([arrived, second.arrived]); // both at once
    second.open();
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(events).not.toContain('end');
    open();
    expect(await run.ended).toMatchObject({ answer: 'Done.' });
    expect(events.slice(-3)).toEqual(['commit', 'end', 'ended']);
    expect(items.map(({ kind }) => kind)).toEqual(['assistant', 'result', 'loaded', 'assistant']);
  });

  it('that cannot be prepared ends with a clear error, and its chat goes on', async () => {
    wire.on(prepareTurnCall, () => {
      throw unavailable('no-responder', 'No instance of "catalog" is there.');
    });
    expect(await start([]).ended).toMatchObject({ status: 'failed', error: { slug: 'no-responder', message: 'No instance of "catalog" is there.' } });
    expect(events).toEqual(['accepted', 'end', 'ended']);
    expect(items).toEqual([{ kind: 'assistant', text: '[This answer was interrupted: no-responder.]', calls: [] }]);
  });

  it.each([
    ['is cut', { text: ['Half an ', 'answer'], cut: 3 }, 'model-cut', 'Half an answer'],
    ['ends without a finish', { text: 'Half', finish: 'cut' }, 'model-cut', 'Half'],
    ['is empty', { text: '' }, 'model-empty', ''],
  ])('whose answer %s keeps what was said once, and why it stops', async (_, step, slug, said) => {
    expect(await start([{ ...load, text: 'Let me see.' }, step]).ended).toMatchObject({ status: 'failed', error: { slug }, finishReason: 'error' });
    expect(lastItem()).toEqual({ kind: 'assistant', text: [said, `[This answer was interrupted: ${slug}.]`].filter(Boolean).join('\n\n'), calls: [] });
    expect(items.filter(({ kind }) => kind === 'assistant')).toHaveLength(2);
    expect(repair([...chatOf().history, ...items]).repairs).toEqual([]);
  });

  it('whose answer stopped at its length is an answer', async () => {
    expect(await start([{ text: 'As far as', finish: 'length' }]).ended).toMatchObject({ status: 'finished', finishReason: 'length', answer: 'As far as' });
  });

  it('whose model call failed has that in its route', async () => {
    await start([{ error: { status: 400 } }]).ended;
    expect(steps).toMatchObject([{ kind: 'model', inputTokens: null, finish: 'model-refused-request' }]);
  });

  it('that is cancelled in mid-answer keeps what was said, and says who stopped it', async () => {
    const { arrived, open, wait } = gate();
    const run = start([{ text: ['A long ', wait, 'story.'] }]);
    await arrived;
    while (!events.includes('delta')) await new Promise((resolve) => setTimeout(resolve, 5));
    turns.cancel(run.turn.turn, cancelledByUser());
    expect(await run.ended).toMatchObject({ status: 'cancelled', answer: 'A long ', finishReason: 'cancelled', error: { slug: 'turn-cancelled' } });
    expect(lastItem()).toMatchObject({ text: 'A long \n\n[The user stopped this answer.]' });
    open();
  });

  it('that is cancelled while it is prepared is cancelled, not failed', async () => {
    wire.on(prepareTurnCall, async () => {
      await new Promise((resolve) => setTimeout(resolve, 5));
      turns.cancel(run.turn.turn, cancelledByUser());
      throw unavailable('cancelled', 'The call was cancelled by its caller');
    });
    const run = start([]);
    expect(await run.ended).toMatchObject({ status: 'cancelled', error: { slug: 'turn-cancelled' } });
  });

  it('that is cancelled during a call gives every call its result and asks the model no more', async () => {
    wire.onTool('docs_read', () => {
      turns.cancel(run.turn.turn, cancelledByUser());
      throw unavailable('cancelled', 'The call was cancelled by its caller');
    });
    const run = start([load, { toolCalls: [{ name: 'docs_read' }, { name: 'list_skills' }] }]);
    expect(await run.ended).toMatchObject({ status: 'cancelled' });
    expect(repair([...chatOf().history, ...items]).repairs).toEqual([]);
    expect(items.filter(({ kind }) => kind === 'result')).toHaveLength(3);
    expect(steps.filter(({ kind }) => kind === 'tool')).toMatchObject([{ decision: 'cancelled' }, { decision: 'ok' }]);
    model.assertConsumed();
  });

  it('that is too long is stopped with its limit', async () => {
    const hold = gate();
    expect(await start([{ text: ['A ', hold.wait] }], { limits: { SKILLGATE_TURN_MS: 300 } }).ended).toMatchObject({
      status: 'failed',
      answer: 'A ',
      error: { slug: 'turn-limit-time', message: expect.stringContaining('0.3 s') },
    });
    hold.open();
  });

  it('that asks the model too often is stopped with its limit, and the chat can go on', async () => {
    const again = { toolCalls: [{ name: 'list_skills' }] };
    expect(await start([again, again], { limits: { SKILLGATE_TURN_STEPS: 2 } }).ended).toMatchObject({ status: 'failed', error: { slug: 'turn-limit-steps' } });
    expect(lastItem()).toMatchObject({ kind: 'assistant', calls: [] });
  });

  it('that runs into a drain ends with a clear error in the drain\'s time', async () => {
    const hold = gate();
    const run = start([{ text: ['A ', hold.wait] }]);
    await hold.arrived;
    const started = Date.now();
    await turns.drain(500);
    expect(Date.now() - started).toBeLessThan(500);
    expect(await run.ended).toMatchObject({ status: 'failed', error: { slug: 'draining', message: expect.stringContaining('Send your message again') } });
    expect(events.slice(-2)).toEqual(['end', 'ended']);
    hold.open();
  });

  it('whose end cannot be written down tells the user so', async () => {
    store.end = () => Promise.reject(refuse('turn-not-held', 'This turn was ended elsewhere; nothing more is written to it.'));
    const outcome = await start([{ text: 'Lost words.' }]).ended;
    expect(outcome).toMatchObject({ status: 'failed', error: { slug: 'turn-not-held', message: expect.stringContaining('ended elsewhere') } });
    expect(events.at(-1)).toBe('ended');
    expect(logged.join('')).toContain('could not be written down');
    expect(turns.size).toBe(0);
  });

  it('that lost its place while a round was written does not pass for finished', async () => {
    store.append = () => Promise.reject(refuse('turn-not-held', 'This turn was ended elsewhere; nothing more is written to it.'));
    expect(await start([load, { text: 'Done.' }]).ended).toMatchObject({ status: 'failed', error: { slug: 'turn-not-held' } });
  });

  it('of an account without tools sends no tools and a flat history', async () => {
    wire.on(prepareTurnCall, () => ({ toolsAllowed: false, entries: [], always: [], loaded: [], withheld: [], policyEpoch: 1 }));
    const history: ChatState['history'] = [
      { kind: 'user', content: 'Read it.' },
      { kind: 'assistant', text: '', calls: [{ id: 'c', name: 'docs_read', arguments: '{}' }] },
      { kind: 'result', callId: 'c', content: 'The rent is due.' },
      { kind: 'loaded', skills: [skillOf('memo')], callIds: {} },
      { kind: 'assistant', text: '[This answer was interrupted: turn-interrupted.]', calls: [] },
      { kind: 'user', content: 'And?' },
    ];
    await start([{ text: 'Nothing.' }], { chat: chatOf({ history }) }).ended;
    const { json, body } = model.requests[0]!;
    expect(json).not.toHaveProperty('tools');
    expect(json.messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user']);
    expect(body).toContain('The rent is due.');
    expect(body).not.toContain('How to do memo');
  });

  it('measures where its tokens go', async () => {
    let tokens: Record<string, number> = {};
    const { end } = store;
    store.end = (turn, from, ending) => {
      tokens = ending.facts.tokens;
      return end(turn, from, ending);
    };
    await start([load, { text: 'Done.' }]).ended;
    for (const part of ['base', 'catalog', 'loaded', 'tools', 'conversation']) expect(tokens[part]).toBeGreaterThan(0);
    expect(tokens.monolith).toBeGreaterThan(1_500 + tokens.base!);
  });
});
