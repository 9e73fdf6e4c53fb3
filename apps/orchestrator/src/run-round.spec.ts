import { describe, expect, it } from '@jest/globals';
import { loadSkill as loadSkillCall } from '@skillgate/contracts/calls/catalog';
import { resolveTools } from '@skillgate/contracts/calls/registry';
import { refuse } from '@skillgate/contracts/refusal';
import type { HistoryItem, LoadedItem } from '@skillgate/prompt/history';
import { repair } from '@skillgate/prompt/repair-history';
import { runRound } from './run-round.js';
import { digestOf, modelOf, resolvedOf, skillOf, toolOf } from './spec-support/facts.js';
import { fakeTurn, type FakeTurn } from './spec-support/fake-context.js';
import { FakeWire } from './spec-support/fake-wire.js';
import type { TurnContext } from './turn-context.js';

const [read, write] = [toolOf('docs_read'), toolOf('docs_write', { effect: 'write' })];
const call = (id: string, name: string, args: object | string = {}) => ({ id, name, arguments: typeof args === 'string' ? args : JSON.stringify(args) });
const load = (id: string, slug: string) => call(id, 'load_skill', { slug });

/** A house with two skills, both with the profile `docs`, and two tools. */
const house = () =>
  new FakeWire()
    .on(loadSkillCall, ({ slug }) => {
      if (!['memo', 'agenda'].includes(slug)) throw refuse('unknown-skill', 'There is no such skill.');
      return { ...skillOf(slug), layer: 'default' as const, policyEpoch: 1 };
    })
    .on(resolveTools, () => resolvedOf([read, write]))
    .onTool('docs_read', ({ arguments: { n = '' } }) => ({ content: `read ${String(n)}` }))
    .onTool('docs_write', () => ({ content: 'written' }));

async function round(calls: ReturnType<typeof call>[], { wire = house(), change = {}, left = 64 }: { wire?: FakeWire; change?: Partial<TurnContext>; left?: number } = {}) {
  const turn = fakeTurn(wire, change);
  await runRound(turn.context, 'Let me see.', calls, left);
  return { wire, ...turn, ...readBack(turn, calls.map(({ id }) => id)) };
}

/** What the round left in the history: results by call id, in their order, and nothing that needs repair. */
function readBack({ context }: FakeTurn, ids: string[]) {
  const items = context.journal.history.slice(1);
  const results = items.flatMap((item) => (item.kind === 'result' ? [item] : []));
  expect(results.map(({ callId }) => callId)).toEqual(ids);
  expect(context.journal.steps.map((step) => ('callId' in step ? step.callId : ''))).toEqual(ids);
  expect(repair(context.journal.history).repairs).toEqual([]);
  return { items, contents: Object.fromEntries(results.map(({ callId, content }) => [callId, content])) };
}
const loadedIn = (items: HistoryItem[]) => items.filter((item): item is LoadedItem => item.kind === 'loaded');

describe('a round', () => {
  it('answers every call once, in the order of the calls, whichever ends first', async () => {
    const wire = house().onTool('docs_read', async ({ arguments: { n } }) => {
      await new Promise((resolve) => setTimeout(resolve, 10 - 5 * Number(n)));
      return { content: `read ${String(n)}` };
    });
    const { contents, items } = await round([load('l', 'memo'), call('a', 'docs_read', { n: 0 }), call('b', 'docs_read', { n: 1 })], { wire });
    expect(contents).toMatchObject({ a: 'read 0', b: 'read 1' });
    expect(items.map(({ kind }) => kind)).toEqual(['assistant', 'result', 'result', 'result', 'loaded']);
    expect(items[0]).toMatchObject({ text: 'Let me see.' });
  });

  it('does all calls side by side', async () => {
    let running = 0;
    let most = 0;
    const wire = house().onTool('docs_read', async () => {
      most = Math.max(most, (running += 1));
      await new Promise((resolve) => setTimeout(resolve, 5));
      running -= 1;
      return { content: 'x' };
    });
    await round([load('l', 'memo'), call('a', 'docs_read'), call('b', 'docs_read'), call('c', 'docs_read')], { wire });
    expect(most).toBe(3);
  });

  it('loads first, whatever the order of the calls, and lets a read beside the load run', async () => {
    const { contents, wire } = await round([call('a', 'docs_read', { n: 1 }), load('l', 'memo')]);
    expect(contents.a).toBe('read 1');
    expect(contents.l).toContain('"loaded":"memo@1.0.0"');
    expect(wire.sent.map(({ subject }) => subject)).toEqual([loadSkillCall.subject, resolveTools.subject, 'docs_read']);
  });

  it('lets nothing with effects run beside a load: its instructions are to be read first', async () => {
    const { contents, wire, context } = await round([load('l', 'memo'), call('w', 'docs_write')]);
    expect(JSON.parse(contents.w ?? '')).toMatchObject({ refused: 'read-instructions-first' });
    expect(wire.count('docs_write')).toBe(0);
    expect(context.journal.steps[1]).toMatchObject({ decision: 'refused', reason: 'read-instructions-first' });
  });

  it('lets it run in the next round, and beside a load that gave no new instructions', async () => {
    const { context, wire } = await round([load('l', 'memo')]);
    await runRound(context, '', [call('w', 'docs_write')], 64);
    await runRound(context, '', [load('again', 'memo'), call('v', 'docs_write')], 64);
    expect(wire.count('docs_write')).toBe(2);
  });

  it('loads a skill once, also when it is asked for twice at once', async () => {
    const { contents, items, wire, context } = await round([load('l', 'memo'), load('m', 'memo')]);
    expect(contents.m).toContain('already_active');
    expect(loadedIn(items)).toMatchObject([{ skills: [{ slug: 'memo' }], callIds: { memo: 'l' } }]);
    expect(wire.count(loadSkillCall.subject)).toBe(1);
    expect(context.loaded.map(({ slug }) => slug)).toEqual(['memo']);
  });

  it('puts several loads into one item, each under its own call', async () => {
    const { items } = await round([load('l', 'memo'), load('m', 'agenda')]);
    expect(loadedIn(items)).toMatchObject([{ skills: [{ slug: 'memo' }, { slug: 'agenda' }], callIds: { memo: 'l', agenda: 'm' } }]);
  });

  it('lets effects run beside a load that was refused', async () => {
    const { context } = await round([load('l', 'memo')]);
    await runRound(context, '', [load('x', 'no-such-skill'), call('w', 'docs_write')], 64);
    expect(context.journal.steps.at(-1)).toMatchObject({ tool: 'docs_write', decision: 'ok' });
  });

  it.each([
    ['an unknown name', call('a', 'docs_translate'), 'unknown-tool'],
    ['a tool whose skill is not loaded', call('a', 'docs_read'), 'unknown-tool'],
    ['broken arguments', call('a', 'list_skills', '{"query'), 'invalid-arguments'],
    ['a load without a slug', call('a', 'load_skill'), 'invalid-arguments'],
    ['a load with broken arguments', call('a', 'load_skill', '{"slug": "me'), 'invalid-arguments'],
    ['a bridge that is not offered in this plan', call('a', 'call_tool', { name: 'docs_read', arguments: {} }), 'unknown-tool'],
  ])('answers %s with a refusal and asks nobody', async (_, one, slug) => {
    const { contents, wire, context } = await round([one]);
    expect(JSON.parse(contents.a ?? '')).toMatchObject({ refused: slug });
    expect(context.journal.steps).toMatchObject([{ decision: 'refused', reason: slug }]);
    expect(wire.sent).toEqual([]);
  });

  it('caps a result that no context could hold', async () => {
    const wire = house().onTool('docs_read', () => ({ content: 'word '.repeat(20_000) }));
    const { contents } = await round([load('l', 'memo'), call('a', 'docs_read')], { wire });
    expect(contents.a).toContain('characters cut from the middle');
    expect(contents.a?.length).toBeLessThan(60_000);
  });

  it('gathers the files that its tools made', async () => {
    const file = { id: `art_${'0'.repeat(32)}`, name: 'a.txt', mime: 'text/plain', bytes: 1 };
    const wire = house().onTool('docs_read', () => ({ content: 'x', artifacts: [file] }));
    const { context } = await round([load('l', 'memo'), call('a', 'docs_read')], { wire });
    expect(context.artifacts).toEqual([file]);
  });
});

describe('what a chat remembers of a round', () => {
  const kept = { slug: 'travel', version: '3.0.0', digest: digestOf('c') };

  it('is what was loaded, beside what it had, also what this turn may not use', async () => {
    const { context } = await round([load('l', 'memo')], { change: { pinned: [kept, { slug: 'memo', version: '0.9.0', digest: digestOf('b') }] } });
    expect(context.pinned).toEqual([kept, { slug: 'memo', version: '1.0.0', digest: digestOf('a') }]);
  });

  it('stays as it was without a load', async () => {
    const { context } = await round([call('a', 'list_skills')], { change: { pinned: [kept] } });
    expect(context.pinned).toEqual([kept]);
  });
});

describe('the calls that a turn has left', () => {
  const decisions = ({ context }: FakeTurn) => context.journal.steps.map((step) => (step.kind === 'model' ? '' : (step.reason ?? step.decision)));
  const calls = [call('a', 'docs_read'), load('l', 'memo'), call('b', 'docs_read'), load('m', 'agenda')];

  it.each([
    [4, ['ok', 'loaded', 'ok', 'loaded']],
    [3, ['ok', 'loaded', 'turn-limit', 'loaded']],
    [2, ['turn-limit', 'loaded', 'turn-limit', 'loaded']],
    [1, ['turn-limit', 'loaded', 'turn-limit', 'turn-limit']],
    [0, Array(4).fill('turn-limit')],
    [-1, Array(4).fill('turn-limit')],
  ])('are %i: loads first, and each of the others gets its answer', async (left, expected) => {
    expect(decisions(await round(calls, { left }))).toEqual(expected);
  });
});

describe('in plan dispatch', () => {
  const dispatch = { entry: modelOf({ plan: 'dispatch' }) };
  const schemas = (item?: LoadedItem) => (item?.schemas ?? '').split('\n').filter(Boolean).map((line) => (JSON.parse(line) as { name: string }).name);

  it('the schemas of what opened travel with the instructions, each once in a chat', async () => {
    const { context, items } = await round([load('l', 'memo')], { change: dispatch });
    expect(schemas(loadedIn(items)[0])).toEqual(['docs_read', 'docs_write']);
    await runRound(context, '', [load('m', 'agenda')], 64);
    expect(schemas(loadedIn(context.journal.history)[1])).toEqual([]);
  });

  it('the schema of a tool that a skill names alone travels too', async () => {
    const alone = skillOf('alone', { requires: { capabilities: [], integrations: [], profiles: [], tools: ['docs_read'] } });
    const wire = house()
      .on(loadSkillCall, () => ({ ...alone, layer: 'default' as const, policyEpoch: 1 }))
      .on(resolveTools, () => resolvedOf([read], { profiles: [] }));
    expect(schemas(loadedIn((await round([load('l', 'alone')], { wire, change: dispatch })).items)[0])).toEqual(['docs_read']);
  });

  it('a tool that opens later, with a renewed grant, is shown behind that round', async () => {
    const late = toolOf('docs_late');
    const { context, wire } = await round([load('l', 'memo')], { change: dispatch });
    wire.on(resolveTools, () => resolvedOf([read, write, late]));
    await context.held.openAll([skillOf('memo')]);
    await runRound(context, '', [call('a', 'call_tool', { name: 'docs_read', arguments: { n: 2 } })], 64);
    expect(context.journal.history.at(-2)).toMatchObject({ callId: 'a', content: 'read 2' });
    expect(schemas(loadedIn(context.journal.history)[1])).toEqual(['docs_late']);
  });
});
