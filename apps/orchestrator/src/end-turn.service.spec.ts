// Proves: however a turn ends, journal and stream say so, and its chat stays one that providers accept.
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { prepareTurn as prepareTurnCall } from '@skillgate/contracts/calls/catalog';
import { refuse, unavailable } from '@skillgate/contracts/refusal';
import { repair } from '@skillgate/prompt/repair-history';
import type { ChatRequest } from '@skillgate/testing/script';
import { cancelledByUser } from './keep-lease.js';
import { notHeld as notHeldReason } from './leave-turn.js';
import { chatOf, modelOf } from './spec-support/facts.js';
import { gate, TurnWorld } from './spec-support/turn-world.js';

const load = { toolCalls: [{ name: 'load_skill', arguments: { slug: 'memo' } }] };
const notHeld = () => Promise.reject(refuse('turn-not-held', 'This turn was ended elsewhere; nothing more is written to it.'));

let world: TurnWorld;
beforeEach(async () => {
  world = await TurnWorld.start();
});
afterEach(() => world.model.close());
const lastItem = () => world.items.at(-1);
const repairs = () => repair([...chatOf().history, ...world.items]).repairs;

describe('a turn that fails', () => {
  it('while it is prepared ends with a clear error, and its chat goes on', async () => {
    world.wire.on(prepareTurnCall, () => {
      throw unavailable('no-responder', 'No instance of "catalog" is there.');
    });
    const outcome = await world.run([]).ended;
    expect(outcome).toMatchObject({ status: 'failed', error: { slug: 'no-responder', message: 'No instance of "catalog" is there.' } });
    expect(world.events).toEqual(['accepted', 'end', 'ended']);
    expect(world.items).toEqual([{ kind: 'assistant', text: '[This answer was interrupted: no-responder.]', calls: [] }]);
  });

  it.each([
    ['is cut', { text: ['Half an ', 'answer'], cut: 3 }, 'model-cut', 'Half an answer'],
    ['ends without a finish', { text: 'Half', finish: 'cut' }, 'model-cut', 'Half'],
    ['is empty each time', { text: '' }, 'model-empty', ''],
  ])('because its answer %s keeps what was said once, and why it stops', async (_, step, slug, said) => {
    const outcome = await world.run([{ ...load, text: 'Let me see.' }, ...(said ? [step] : [step, step, step])]).ended;
    expect(outcome).toMatchObject({ status: 'failed', error: { slug }, finishReason: 'error' });
    expect(lastItem()).toEqual({ kind: 'assistant', text: [said, `[This answer was interrupted: ${slug}.]`].filter(Boolean).join('\n\n'), calls: [] });
    expect(world.items.filter(({ kind }) => kind === 'assistant')).toHaveLength(2);
    expect(repairs()).toEqual([]);
  });

  it('because its model refused has that in its route', async () => {
    await world.run([{ error: { status: 400 } }]).ended;
    expect(world.steps).toMatchObject([{ kind: 'model', inputTokens: null, finish: 'model-refused-request', model: 'scripted-model', try: 1 }]);
  });

  it('to be written down tells nobody of an end, and leaves it to whoever takes it over', async () => {
    world.store.end = () => Promise.reject(new Error('the disk is full'));
    expect(await world.run([{ text: 'Lost words.' }]).ended).toBeUndefined();
    expect(world.events).not.toContain('ended');
    expect(world.logged.join('')).toContain('could not be written down');
    expect(world.turns.size).toBe(0);
  });
});

describe('a turn that was taken over', () => {
  it.each([
    ['ends', (store: TurnWorld['store']) => (store.end = notHeld), [{ text: 'Lost words.' }]],
    ['writes a round', (store: TurnWorld['store']) => (store.append = notHeld), [load, { text: 'Done.' }]],
  ])('as it %s says no word of an end, and says so in its log', async (_, lose, script) => {
    lose(world.store);
    expect(await world.run(script).ended).toBeUndefined();
    expect(world.events).not.toContain('ended');
    expect(world.logged.join('')).toContain('taken over by another instance');
    expect(world.turns.size).toBe(0);
  });

  it('in mid-answer stops at once, and neither writes nor speaks any more', async () => {
    const hold = gate();
    const run = world.run([{ text: ['A long ', hold.wait, 'story.'] }]);
    await world.until('delta');
    world.turns.cancel(run.turn.turn, notHeldReason());
    expect(await run.ended).toBeUndefined();
    expect(world.events.slice(-2)).toEqual(['delta', 'release']); // a release under an old attempt changes nothing
    hold.open();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(world.model.requests[0]?.abandoned).toBe(true);
  });

  it('during a call leaves the call to its executor, which is not told to stop', async () => {
    let stopped: boolean | undefined;
    const hold = gate();
    world.wire.onTool('docs_read', async () => {
      await hold.wait();
      stopped = world.wire.sent.find(({ subject }) => subject === 'docs_read')?.options.signal?.aborted;
      return { content: 'late' };
    });
    const run = world.run([load, { toolCalls: [{ name: 'docs_read' }] }]);
    await hold.arrived;
    world.turns.cancel(run.turn.turn, notHeldReason());
    expect(await run.ended).toBeUndefined();
    hold.open();
    await new Promise((resolve) => setTimeout(resolve, 10));
    expect(stopped).toBe(false);
    expect(world.items.filter(({ kind }) => kind === 'result')).toHaveLength(1); // of the load; of the call none
  });
});

describe('a turn that is cancelled', () => {
  it('in mid-answer keeps what was said, and says who stopped it', async () => {
    const { open, wait } = gate();
    const run = world.run([{ text: ['A long ', wait, 'story.'] }]);
    await world.until('delta');
    world.turns.cancel(run.turn.turn, cancelledByUser());
    expect(await run.ended).toMatchObject({ status: 'cancelled', answer: 'A long ', finishReason: 'cancelled', error: { slug: 'turn-cancelled' } });
    expect(lastItem()).toMatchObject({ text: 'A long \n\n[The user stopped this answer.]' });
    open();
  });

  it('while it is prepared is cancelled, not failed', async () => {
    world.wire.on(prepareTurnCall, async () => {
      await new Promise((resolve) => setTimeout(resolve, 5));
      world.turns.cancel(run.turn.turn, cancelledByUser());
      throw unavailable('cancelled', 'The call was cancelled by its caller');
    });
    const run = world.run([]);
    expect(await run.ended).toMatchObject({ status: 'cancelled', error: { slug: 'turn-cancelled' } });
  });

  it('during a call gives every call its result and asks the model no more', async () => {
    world.wire.onTool('docs_read', () => {
      world.turns.cancel(run.turn.turn, cancelledByUser());
      throw unavailable('cancelled', 'The call was cancelled by its caller');
    });
    const run = world.run([load, { toolCalls: [{ name: 'docs_read' }, { name: 'list_skills' }] }]);
    expect(await run.ended).toMatchObject({ status: 'cancelled' });
    expect(repairs()).toEqual([]);
    expect(world.items.filter(({ kind }) => kind === 'result')).toHaveLength(3);
    expect(world.steps.filter(({ kind }) => kind === 'tool')).toMatchObject([{ decision: 'cancelled' }, { decision: 'ok' }]);
    expect(world.events.filter((event) => event === 'thinking')).toHaveLength(2);
    expect(world.steps.filter(({ kind }) => kind === 'model')).toHaveLength(2);
    world.model.assertConsumed();
  });
});

describe('a turn that reaches a limit', () => {
  it('of time ends with an answer that says so, behind what was said until then', async () => {
    const hold = gate();
    const outcome = await world.run([{ text: ['A ', hold.wait] }], { limits: { SKILLGATE_TURN_MS: 300 } }).ended;
    const answer = 'A \n\n[This answer ends here: the turn reached its limit of 0.3 s. Send "continue" to go on.]';
    expect(outcome).toMatchObject({ status: 'finished', finishReason: 'length', limit: 'time', error: null, answer });
    expect(lastItem()).toMatchObject({ kind: 'assistant', text: answer, calls: [] });
    expect(world.events.slice(-2)).toEqual(['end', 'ended']);
    hold.open();
  });

  const again = { toolCalls: [{ name: 'list_skills' }] };

  it('of model calls lets the model have the last word, without tools, and says which limit', async () => {
    const last = { text: 'This is what I have.', expect: (request: ChatRequest) => void lasts.push(request) };
    const lasts: ChatRequest[] = [];
    const outcome = await world.run([again, again, last], { limits: { SKILLGATE_TURN_STEPS: 2 } }).ended;
    expect(outcome).toMatchObject({ status: 'finished', finishReason: 'length', limit: 'steps' });
    expect(outcome?.answer).toBe('This is what I have.\n\n[This answer ends here: the turn reached its limit of 2 model calls. Send "continue" to go on.]');
    expect(lasts[0]).not.toHaveProperty('tools');
    expect(JSON.stringify(lasts[0]?.messages)).toContain('has used up its model calls');
    expect(lastItem()).toMatchObject({ kind: 'assistant', text: outcome?.answer, calls: [] });
    expect(world.steps.filter(({ kind }) => kind === 'model')).toHaveLength(3);
    expect(repairs()).toEqual([]);
    world.model.assertConsumed();
  });

  it('of model calls says so itself when the model has no last word', async () => {
    const outcome = await world.run([again, { error: { status: 400 } }], { limits: { SKILLGATE_TURN_STEPS: 1 } }).ended;
    expect(outcome).toMatchObject({ status: 'finished', limit: 'steps', answer: expect.stringMatching(/^\[This answer ends here: .* 1 model calls/) });
  });

  it.each<[string, object, object, string, RegExp]>([
    ['of tokens', { SKILLGATE_TURN_TOKENS: 1_500 }, {}, 'tokens', /limit of 1500 tokens/],
    ['of money', { SKILLGATE_TURN_USD: 0.01 }, { prices: { input: 10, cachedInput: 1, output: 100 } }, 'cost', /limit of 0.01 US dollars/],
  ])('%s asks the model nothing more and says so', async (_, limits, change, limit, words) => {
    const spending = { ...again, usage: { prompt: 900, completion: 100, cached: 800 } }; // 0.0118 dollars
    const outcome = await world.run(limit === 'tokens' ? [spending, spending] : [spending], { limits, entry: modelOf(change) }).ended;
    expect(outcome).toMatchObject({ status: 'finished', finishReason: 'length', limit, answer: expect.stringMatching(words) });
    world.model.assertConsumed();
  });

  it('of money is none for a model whose prices nobody knows', async () => {
    const outcome = await world.run([again, { text: 'Done.' }], { limits: { SKILLGATE_TURN_USD: 0.000_001 } }).ended;
    expect(outcome).toMatchObject({ answer: 'Done.', finishReason: 'stop' });
    expect(outcome).not.toHaveProperty('limit');
  });

  it('of tool calls gets an answer for each call beyond it, and goes on', async () => {
    const two = { toolCalls: [{ name: 'list_skills' }, { name: 'list_skills' }] };
    const outcome = await world.run([two, two, { text: 'So be it.' }], { limits: { SKILLGATE_TURN_CALLS: 3 } }).ended;
    expect(outcome).toMatchObject({ status: 'finished', answer: 'So be it.' });
    expect(world.steps.filter(({ kind }) => kind === 'tool')).toMatchObject([{ reason: null }, { reason: null }, { reason: null }, { reason: 'turn-limit' }]);
  });

  it('of a drain is handed over in the drain\'s time, as its last commit left it', async () => {
    const hold = gate();
    const run = world.run([{ text: ['A ', hold.wait] }]);
    await hold.arrived;
    const started = Date.now();
    await world.turns.drain(500);
    expect(Date.now() - started).toBeLessThan(500);
    expect(await run.ended).toBeUndefined();
    expect(world.events.slice(-2)).toEqual(['delta', 'release']);
    expect(world.items).toEqual([]);
    hold.open();
  });
});
