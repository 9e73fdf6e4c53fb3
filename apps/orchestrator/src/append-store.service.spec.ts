import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { route } from '@skillgate/contracts/route';
import { buildRoute } from './build-route.js';
import { outcomeOf } from './spec-support/facts.js';
import { nextOf, noFacts, said, startStore, type StoreWorld, stepOf } from './spec-support/store-world.js';

let world: StoreWorld;
beforeAll(async () => {
  world = await startStore();
}, 60_000);
afterAll(() => world?.close());

describe('what a turn writes', () => {
  it('is numbered without a gap over several commits, items by chat and steps by turn', async () => {
    const turn = await world.begun({ items: [{ kind: 'facts', text: 'f' }, { kind: 'user', content: 'u' }] });
    await world.append(turn, { items: 2, steps: 0 }, { items: [said('a')], steps: [stepOf('1'), stepOf('2')] });
    await world.append(turn, { items: 3, steps: 2 }, {});
    await world.append(turn, { items: 3, steps: 2 }, { items: [said('b'), said('c')], steps: [stepOf('3')] });
    expect(await world.numbers(turn)).toEqual([0, 1, 2, 3, 4]);
    const { steps } = await world.store.getWithSteps(turn, turn.turn);
    expect(steps).toEqual([stepOf('1'), stepOf('2'), stepOf('3')]);
  });

  it('keeps U+0000 and halves of surrogate pairs as U+FFFD, in messages, steps, outcome, facts and prefix', async () => {
    const odd = 'a\u0000b\uD83Dc\uDE00d \u{1F600}';
    const even = 'a\uFFFDb\uFFFDc\uFFFDd \u{1F600}';
    const facts = { ...noFacts, visible: [odd] };
    const turn = await world.begun({ items: [{ kind: 'user', content: [{ type: 'text', text: odd }] }] });
    await world.append(turn, { items: 1, steps: 0 }, { items: [said(odd)], steps: [stepOf(odd)], chat: { prefix: odd, announced: [odd] }, facts });
    const outcome = outcomeOf({ answer: odd, status: 'failed', error: { slug: 'x', message: odd } });
    await world.store.end(turn, { items: 2, steps: 1 }, { items: [], steps: [], chat: {}, outcome, facts });
    const { turn: row, steps } = await world.store.getWithSteps(turn, turn.turn);
    expect(row).toMatchObject({ outcome: { answer: even, error: { message: even } }, facts: { visible: [even] } });
    expect(steps).toEqual([stepOf(even)]);
    const state = await world.begin(nextOf(turn));
    expect(state.history.slice(0, 2)).toEqual([{ kind: 'user', content: [{ type: 'text', text: even }] }, said(even)]);
    expect(state).toMatchObject({ prefix: even, announced: [even] });
  });

  it('makes a route of its contract', async () => {
    const turn = await world.begun();
    await world.append(turn, { items: 1, steps: 0 }, { steps: [stepOf('stop')], facts: { ...noFacts, visible: ['memo'] } });
    await world.end(turn, { items: 1, steps: 1 });
    const { turn: row, steps } = await world.store.getWithSteps(turn, turn.turn);
    expect(route.parse(buildRoute(row, steps))).toMatchObject({ status: 'finished', traceId: turn.traceId, ms: expect.any(Number) });
    expect(row.endedAt!.getTime()).toBeGreaterThanOrEqual(row.startedAt.getTime());
  });
});

describe('a commit whose answer was lost', () => {
  it('may be made again and writes nothing twice', async () => {
    const turn = await world.begun();
    const made = { items: [said('a'), said('b')], steps: [stepOf('x'), stepOf('y')] };
    await world.append(turn, { items: 1, steps: 0 }, made);
    await world.append(turn, { items: 1, steps: 0 }, { ...made, items: [...made.items, said('c')] });
    expect(await world.numbers(turn)).toEqual([0, 1, 2, 3]);
    expect((await world.store.getWithSteps(turn, turn.turn)).steps).toEqual(made.steps);
  });

  it('of the end is known as the same end, and another end is not', async () => {
    const turn = await world.begun();
    await world.end(turn);
    await world.end(turn);
    await expect(world.end(turn, undefined, [said('Else.')], outcomeOf({ answer: 'Else.' }))).rejects.toMatchObject({ slug: 'turn-not-held' });
    expect(await world.numbers(turn)).toEqual([0, 1]);
  });

  it('that would write over another turn\'s items is an error and changes nothing', async () => {
    const first = await world.begun();
    await world.end(first);
    const second = nextOf(first);
    await world.begin(second);
    await expect(world.append(second, { items: 1, steps: 0 }, { items: [said('over')] })).rejects.toThrow('items of another turn');
    await world.end(second, { items: 3, steps: 0 });
    expect((await world.begin(nextOf(first))).history.slice(0, 3)).toEqual([...first.items, said('Done.'), ...second.items]);
  });
});
