// Proves: what a model fails with before its first word is nobody's trouble; after that the answer ends with a clear mark.
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { ScriptStep } from '@skillgate/testing/script';
import { cancelledByUser } from './keep-lease.js';
import { modelOf } from './spec-support/facts.js';
import { gate, TurnWorld } from './spec-support/turn-world.js';

let world: TurnWorld;
beforeEach(async () => {
  world = await TurnWorld.start();
});
afterEach(() => world.model.close());
const tries = () => world.steps.flatMap((step) => (step.kind === 'model' ? [[step.model, step.try, step.finish]] : []));
const models = () => world.model.requests.map(({ json }) => json.model);
const other = modelOf({ id: 'other-model', instructions: 'tool-result', plan: 'dispatch' });
const third = modelOf({ id: 'third-model' });
const down: ScriptStep = { error: { status: 503 } };

describe('a model that fails before its first word', () => {
  it.each<[string, ScriptStep, string]>([
    ['hangs up', { cut: 0 }, 'model-unreachable'],
    ['is overloaded', { error: { status: 429 } }, 'model-overloaded'],
    ['fails inside', { error: { status: 500 } }, 'model-overloaded'],
    ['says nothing', { text: '' }, 'model-empty'],
    ['breaks off behind the headers', { text: ['One'], cut: 1 }, 'model-cut'],
    ['ends without a finish', { text: '', finish: 'cut' }, 'model-cut'],
  ])('because it %s is asked again, unseen, and its route shows both tries', async (_, failing, finish) => {
    const outcome = await world.run([failing, { text: 'Good day' }]).ended;
    expect(outcome).toMatchObject({ status: 'finished', answer: 'Good day' });
    expect(tries()).toEqual([
      ['scripted-model', 1, finish],
      ['scripted-model', 2, 'stop'],
    ]);
    world.model.assertConsumed();
  });

  it('because its stream stalls is asked again', async () => {
    const hold = gate();
    const outcome = await world.run([{ text: [hold.wait] }, { text: 'Good day' }], { limits: { SKILLGATE_MODEL_STALL_MS: 200 } }).ended;
    expect(outcome).toMatchObject({ answer: 'Good day' });
    expect(tries().map(([, , finish]) => finish)).toEqual(['model-stalled', 'stop']);
    hold.open();
  });

  it('is asked again as late as it says, and its user is told', async () => {
    const started = Date.now();
    await world.run([{ error: { status: 429, retryAfterSeconds: 1 } }, { text: 'Hi' }]).ended;
    expect(Date.now() - started).toBeGreaterThanOrEqual(990);
    expect(world.events.filter((event) => event === 'thinking')).toHaveLength(2);
  });

  it('is given up after three tries, with what the last one came to', async () => {
    const outcome = await world.run([down, { cut: 0 }, down]).ended;
    expect(outcome).toMatchObject({ status: 'failed', error: { slug: 'model-overloaded' } });
    expect(tries().map(([, number]) => number)).toEqual([1, 2, 3]);
  });

  it('is told at once when it asks for a long wait and there is no other one', async () => {
    const started = Date.now();
    const outcome = await world.run([{ error: { status: 429, retryAfterSeconds: 60 } }]).ended;
    expect(outcome).toMatchObject({ error: { slug: 'model-overloaded' } });
    expect(Date.now() - started).toBeLessThan(2_000);
  });

  it('is not waited for when the turn is cancelled meanwhile', async () => {
    const run = world.run([{ error: { status: 429, retryAfterSeconds: 8 } }]);
    const started = Date.now();
    while (world.events.filter((event) => event === 'thinking').length < 2) await new Promise((resolve) => setTimeout(resolve, 5));
    world.turns.cancel(run.turn.turn, cancelledByUser());
    expect(await run.ended).toMatchObject({ status: 'cancelled' });
    expect(Date.now() - started).toBeLessThan(4_000);
  });
});

describe('the models that the operator names beside it', () => {
  it('are asked in their order when a model stays away, and the route shows every try', async () => {
    const outcome = await world.run([down, down, down, { error: { status: 404 } }, { text: 'Third here.' }], { fallbacks: [other, third] }).ended;
    expect(outcome).toMatchObject({ status: 'finished', answer: 'Third here.' });
    expect(tries()).toEqual([
      ['scripted-model', 1, 'model-overloaded'],
      ['scripted-model', 2, 'model-overloaded'],
      ['scripted-model', 3, 'model-overloaded'],
      ['other-model', 1, 'model-refused-request'],
      ['third-model', 1, 'stop'],
    ]);
    expect(models().slice(-2)).toEqual(['other-model', 'third-model']);
  });

  it('are asked at once when a model asks for a long wait', async () => {
    const started = Date.now();
    const outcome = await world.run([{ error: { status: 429, retryAfterSeconds: 60 } }, { text: 'Here.' }], { fallbacks: [other] }).ended;
    expect(outcome).toMatchObject({ answer: 'Here.' });
    expect(Date.now() - started).toBeLessThan(2_000);
  });

  it('go on with the turn once they answered, in its own plan and with all that was said', async () => {
    const load = { toolCalls: [{ name: 'load_skill', arguments: { slug: 'memo' } }] };
    const outcome = await world.run([{ error: { status: 404 } }, load, { text: 'Done.' }], { fallbacks: [other] }).ended;
    expect(outcome).toMatchObject({ answer: 'Done.' });
    expect(models()).toEqual(['scripted-model', 'other-model', 'other-model']);
    const { messages, tools } = world.model.requests[2]!.json;
    expect(tools?.map(({ function: { name } }) => name)).toContain('docs_read'); // plan expand, as the turn began
    expect(JSON.stringify(messages.filter(({ role }) => role === 'tool'))).toContain('How to do memo'); // where this model takes instructions
  });

  it('are not asked for what they would refuse as well, nor where they cannot use tools', async () => {
    const exceeded = { error: { status: 400, code: 'context_length_exceeded' } };
    expect(await world.run([exceeded], { fallbacks: [other] }).ended).toMatchObject({ error: { slug: 'model-context-exceeded' } });
    const toolless = modelOf({ id: 'toolless', usesTools: false });
    expect(await world.run([{ error: { status: 404 } }], { fallbacks: [toolless] }).ended).toMatchObject({ error: { slug: 'model-refused-request' } });
  });
});

describe('a model that fails behind its first word', () => {
  it('is not asked again, not even another one: the answer ends where it stopped, and says so', async () => {
    const outcome = await world.run([{ text: ['Half an ', 'answer', '.'], cut: 3 }], { fallbacks: [other] }).ended;
    expect(outcome).toMatchObject({ status: 'failed', answer: 'Half an answer', error: { slug: 'model-cut' } });
    expect(world.items.at(-1)).toMatchObject({ text: 'Half an answer\n\n[This answer was interrupted: model-cut.]' });
    world.model.assertConsumed();
  });

  it('because it refuses to go on ends as its provider says', async () => {
    const outcome = await world.run([{ text: 'I cannot', finish: 'content_filter' }]).ended;
    expect(outcome).toMatchObject({ status: 'finished', finishReason: 'content_filter', answer: 'I cannot' });
  });
});
