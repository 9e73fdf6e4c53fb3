// Proves: no call with effects leaves before the journal has it.
import { describe, expect, it } from '@jest/globals';
import { resolveTools } from '@skillgate/contracts/calls/registry';
import { unavailable } from '@skillgate/contracts/refusal';
import type { HistoryCall } from '@skillgate/prompt/history';
import { runRound } from './run-round.js';
import { resolvedOf, skillOf, toolOf, turnOf } from './spec-support/facts.js';
import { fakeTurn } from './spec-support/fake-context.js';
import { FakeWire } from './spec-support/fake-wire.js';
import type { Unsaved } from './turn-records.js';

const tools = [toolOf('docs_read'), toolOf('docs_write', { effect: 'write' }), toolOf('mail_send', { effect: 'external' })];
const call = (id: string, name: string): HistoryCall => ({ id, name, arguments: '{}' });

/** `order` tells commits and calls in the order in which they happened. */
async function scene(attempt = 1, append = async (): Promise<void> => undefined) {
  const order: string[] = [];
  const saved: Unsaved[] = [];
  const tell = (name: string) => () => (order.push(name), { content: 'x' });
  const wire = new FakeWire().on(resolveTools, () => resolvedOf(tools));
  for (const { name } of tools) wire.onTool(name, tell(name));
  const store = {
    append: async (_: unknown, __: unknown, unsaved: Unsaved) => {
      order.push('commit');
      saved.push(unsaved);
      await append();
    },
    end: async () => undefined,
    release: async () => true,
    suspend: async () => ({ askedAt: new Date(), until: new Date() }),
  };
  const turn = fakeTurn(wire, { turn: turnOf({ attempt }) }, store);
  await turn.context.held.open(skillOf('memo'));
  return { order, saved, wire, ...turn };
}

describe('the calls of a round', () => {
  it('are written down in one commit before the first with effects is sent, with the answer that asked for them', async () => {
    const { context, order, saved } = await scene();
    const calls = [call('c1', 'docs_write'), call('c2', 'mail_send'), call('c3', 'docs_read')];
    await runRound(context, 'Working.', calls, 9);
    expect(order[0]).toBe('commit');
    expect(order.filter((one) => one === 'commit')).toHaveLength(1);
    expect(saved[0]).toMatchObject({
      items: [],
      round: { text: 'Working.', calls, intents: { c1: { sentAs: 'c1', executor: 'docs', tool: 'docs_write', effect: 'write' }, c2: { sentAs: 'c2', tool: 'mail_send', effect: 'external' } } },
    });
    expect(Object.keys(saved[0]?.round?.intents ?? {})).toEqual(['c1', 'c2']);
  });

  it('without effects cost no commit of their own', async () => {
    const { context, order } = await scene();
    await runRound(context, '', [call('c1', 'docs_read'), call('c2', 'list_skills')], 9);
    expect(order).toEqual(['docs_read']);
  });

  it('are not sent when the journal does not take them', async () => {
    const { context, order } = await scene(1, () => Promise.reject(Object.assign(unavailable('disk-full', 'full'), { kind: 'defect' as const })));
    await expect(runRound(context, '', [call('c1', 'mail_send')], 9)).rejects.toMatchObject({ slug: 'disk-full' });
    expect(order).toEqual(['commit']);
  });

  it('of a later attempt go out under ids of their own, since those of an earlier one are refused for good', async () => {
    const { context, wire } = await scene(3);
    await runRound(context, '', [call('c1', 'mail_send'), call('c2', 'docs_read')], 9);
    expect(wire.sent.filter(({ options }) => options.callId).map(({ options }) => options.callId)).toEqual(expect.arrayContaining(['c1.3', 'c2']));
    expect(context.journal.history.filter(({ kind }) => kind === 'result')).toMatchObject([{ callId: 'c1' }, { callId: 'c2' }]);
  });

  it('are among the items in the commit that closes their round', async () => {
    const { context, saved } = await scene();
    await runRound(context, '', [call('c1', 'mail_send')], 9);
    await context.journal.save({ visible: [], withheld: [], tokens: {} as never, catalogHash: null });
    expect(saved[1]).toMatchObject({ round: null, items: [{ kind: 'assistant' }, { kind: 'result', callId: 'c1' }] });
  });

  it('that an earlier attempt settled are not sent again', async () => {
    const { context, wire } = await scene(2);
    const run = { content: 'sent before', artifacts: [], step: { callId: 'c1' } } as never;
    await runRound(context, '', [call('c1', 'mail_send'), call('c2', 'docs_read')], 9, new Map([['c1', run]]));
    expect(wire.count('mail_send')).toBe(0);
    expect(context.journal.history.filter(({ kind }) => kind === 'result')).toMatchObject([{ callId: 'c1', content: 'sent before' }, { callId: 'c2' }]);
  });
});
