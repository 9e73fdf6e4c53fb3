// Proves: however a turn ends, journal and stream say so, and its chat stays one that providers accept.
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { prepareTurn as prepareTurnCall } from '@skillgate/contracts/calls/catalog';
import { refuse, unavailable } from '@skillgate/contracts/refusal';
import { repair } from '@skillgate/prompt/repair-history';
import { cancelledByUser } from './keep-lease.js';
import { chatOf } from './spec-support/facts.js';
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
    ['is empty', { text: '' }, 'model-empty', ''],
  ])('because its answer %s keeps what was said once, and why it stops', async (_, step, slug, said) => {
    const outcome = await world.run([{ ...load, text: 'Let me see.' }, step]).ended;
    expect(outcome).toMatchObject({ status: 'failed', error: { slug }, finishReason: 'error' });
    expect(lastItem()).toEqual({ kind: 'assistant', text: [said, `[This answer was interrupted: ${slug}.]`].filter(Boolean).join('\n\n'), calls: [] });
    expect(world.items.filter(({ kind }) => kind === 'assistant')).toHaveLength(2);
    expect(repairs()).toEqual([]);
  });

  it('because its model refused has that in its route', async () => {
    await world.run([{ error: { status: 400 } }]).ended;
    expect(world.steps).toMatchObject([{ kind: 'model', inputTokens: null, finish: 'model-refused-request' }]);
  });

  it('because its end cannot be written down tells the user so', async () => {
    world.store.end = notHeld;
    const outcome = await world.run([{ text: 'Lost words.' }]).ended;
    expect(outcome).toMatchObject({ status: 'failed', error: { slug: 'turn-not-held', message: expect.stringContaining('ended elsewhere') } });
    expect(world.events.at(-1)).toBe('ended');
    expect(world.logged.join('')).toContain('could not be written down');
    expect(world.turns.size).toBe(0);
  });

  it('because it lost its place while a round was written does not pass for finished', async () => {
    world.store.append = notHeld;
    expect(await world.run([load, { text: 'Done.' }]).ended).toMatchObject({ status: 'failed', error: { slug: 'turn-not-held' } });
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
  it('of time is stopped and says so', async () => {
    const hold = gate();
    const outcome = await world.run([{ text: ['A ', hold.wait] }], { limits: { SKILLGATE_TURN_MS: 300 } }).ended;
    expect(outcome).toMatchObject({ status: 'failed', answer: 'A ', error: { slug: 'turn-limit-time', message: expect.stringContaining('0.3 s') } });
    hold.open();
  });

  it('of model calls is stopped and says so, and the chat can go on', async () => {
    const again = { toolCalls: [{ name: 'list_skills' }] };
    const outcome = await world.run([again, again], { limits: { SKILLGATE_TURN_STEPS: 2 } }).ended;
    expect(outcome).toMatchObject({ status: 'failed', error: { slug: 'turn-limit-steps' } });
    expect(lastItem()).toMatchObject({ kind: 'assistant', calls: [] });
  });

  it('of tool calls gets an answer for each call beyond it, and goes on', async () => {
    const two = { toolCalls: [{ name: 'list_skills' }, { name: 'list_skills' }] };
    const outcome = await world.run([two, two, { text: 'So be it.' }], { limits: { SKILLGATE_TURN_CALLS: 3 } }).ended;
    expect(outcome).toMatchObject({ status: 'finished', answer: 'So be it.' });
    expect(world.steps.filter(({ kind }) => kind === 'tool')).toMatchObject([{ reason: null }, { reason: null }, { reason: null }, { reason: 'turn-limit' }]);
  });

  it('of a drain ends with a clear error in the drain\'s time', async () => {
    const hold = gate();
    const run = world.run([{ text: ['A ', hold.wait] }]);
    await hold.arrived;
    const started = Date.now();
    await world.turns.drain(500);
    expect(Date.now() - started).toBeLessThan(500);
    expect(await run.ended).toMatchObject({ status: 'failed', error: { slug: 'draining', message: expect.stringContaining('Send your message again') } });
    expect(world.events.slice(-2)).toEqual(['end', 'ended']);
    hold.open();
  });
});
