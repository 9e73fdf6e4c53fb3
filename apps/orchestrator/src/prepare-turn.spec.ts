import { describe, expect, it } from '@jest/globals';
import { prepareTurn as prepareTurnCall } from '@skillgate/contracts/calls/catalog';
import { resolveTools } from '@skillgate/contracts/calls/registry';
import type { CallOutput } from '@skillgate/contracts/define-call';
import { refuse, unavailable } from '@skillgate/contracts/refusal';
import type { HistoryItem } from '@skillgate/prompt/history';
import { HeldTools } from './held-tools.js';
import { prepareTurn } from './prepare-turn.js';
import { chatOf, digestOf, entryOf, modelOf, resolvedOf, skillOf, toolOf } from './spec-support/facts.js';
import { fakeTurn } from './spec-support/fake-context.js';
import { FakeWire } from './spec-support/fake-wire.js';
import type { TurnContext } from './turn-context.js';

type Answer = CallOutput<typeof prepareTurnCall>;
const answerOf = (change: Partial<Answer> = {}): Answer => ({
  ...{ toolsAllowed: true, entries: [entryOf('memo')], always: [], loaded: [], withheld: [], policyEpoch: 1 },
  ...change,
});
const [style, memo] = [skillOf('style', { digest: digestOf('b') }), skillOf('memo')];
const loadedBefore = (...skills: (typeof memo)[]): HistoryItem => ({ kind: 'loaded', skills, callIds: {} });

async function prepare(answer: Partial<Answer> = {}, { history = [], ...change }: Partial<TurnContext> & { history?: HistoryItem[] } = {}, tools = [toolOf('docs_read')]) {
  const wire = new FakeWire().on(prepareTurnCall, () => answerOf(answer)).on(resolveTools, () => resolvedOf(tools));
  const { context } = fakeTurn(wire, change);
  context.journal.history.unshift(...history);
  const before = context.journal.history.length;
  await prepareTurn(context, chatOf());
  return { wire, context, added: context.journal.history.slice(before) };
}

describe('a turn is prepared', () => {
  it('by one call when nothing is active', async () => {
    const { wire, context, added } = await prepare();
    expect(wire.sent.map(({ subject, input }) => [subject, input])).toEqual([[prepareTurnCall.subject, { ticket: 'the.signed.ticket', modelUsesTools: true, pinned: [], shown: [], midTurn: false, lookAgain: false }]]);
    expect(context).toMatchObject({ toolsAllowed: true, entries: [entryOf('memo')], prefixHash: expect.stringMatching(/^[0-9a-f]{64}$/) });
    expect(context.prefix).toContain('- memo: Does memo.');
    expect(added).toEqual([]);
  });

  it('shows the catalog what the chat has pinned, and the registry the receipts of what is active', async () => {
    const pinned = [{ slug: 'memo', version: '1.0.0', digest: digestOf('a') }];
    const { wire, context, added } = await prepare({ loaded: [memo] }, { pinned, history: [loadedBefore(memo)] });
    expect(wire.sent.map(({ input }) => input)).toMatchObject([{ pinned }, { receipts: ['receipt.of.memo'] }]);
    expect(context.held.tools).toHaveLength(1);
    expect(added).toEqual([]); // its instructions are above
  });

  it('with the instructions of `always` skills, once a version', async () => {
    const { added } = await prepare({ always: [style] });
    expect(added).toMatchObject([{ kind: 'loaded', skills: [{ slug: 'style', instructions: 'How to do style.' }], callIds: {} }]);
    expect((await prepare({ always: [style] }, { history: [loadedBefore(style)] })).added).toEqual([]);
    expect((await prepare({ always: [{ ...style, digest: digestOf('c') }] }, { history: [loadedBefore(style)] })).added).toHaveLength(1);
  });

  it('with its tools in the order in which their skills came into the chat', async () => {
    const { wire } = await prepare({ always: [style], loaded: [memo] }, { history: [loadedBefore(style), loadedBefore(memo)] });
    expect(wire.sent[1]?.input).toMatchObject({ receipts: ['receipt.of.style', 'receipt.of.memo'] });
    const fresh = await prepare({ always: [style], loaded: [memo] }, { history: [loadedBefore(memo)] });
    expect(fresh.wire.sent[1]?.input).toMatchObject({ receipts: ['receipt.of.memo', 'receipt.of.style'] });
  });

  it('without tools, skills and catalog for an account that has none', async () => {
    const { wire, context, added } = await prepare({ toolsAllowed: false, entries: [], always: [style], loaded: [memo] });
    expect(context).toMatchObject({ toolsAllowed: false, loaded: [] });
    expect(context.prefix).not.toContain('available_skills');
    expect(added).toEqual([]);
    expect(wire.count(resolveTools.subject)).toBe(0);
  });

  it('in plan dispatch with the schemas of tools that the chat has not seen', async () => {
    const dispatch = { entry: modelOf({ plan: 'dispatch' }) };
    const seen: HistoryItem = { kind: 'loaded', skills: [memo], callIds: {}, schemas: '{"name":"docs_read","description":"d","arguments":{}}' };
    expect((await prepare({ loaded: [memo] }, { ...dispatch, history: [seen] })).added).toEqual([]);
    const { added } = await prepare({ loaded: [memo] }, { ...dispatch, history: [seen] }, [toolOf('docs_read'), toolOf('docs_late')]);
    expect(added).toEqual([{ kind: 'loaded', skills: [], callIds: {}, schemas: expect.stringContaining('"docs_late"') }]);
  });
});

describe('a turn whose answers disagree on the policy', () => {
  it('asks the catalog again, once', async () => {
    const epochs = [1, 2];
    const wire = new FakeWire().on(resolveTools, () => resolvedOf([], { policyEpoch: 2 }));
    wire.on(prepareTurnCall, () => answerOf({ policyEpoch: epochs.shift() ?? 0, loaded: epochs.length > 0 ? [memo] : [], entries: epochs.length > 0 ? [entryOf('memo')] : [] }));
    const { context } = fakeTurn(wire);
    await prepareTurn(context, chatOf());
    expect(wire.count(prepareTurnCall.subject)).toBe(2);
    expect(context).toMatchObject({ loaded: [], entries: [] });
  });
});

describe('a turn whose rights have just changed', () => {
  const inputsOf = (wire: FakeWire) => wire.sent.map(({ subject, input }) => [subject.split('.').at(-1), (input as { minEpoch?: number }).minEpoch]);

  it('demands of catalog and registry what it has heard of', async () => {
    const wire = new FakeWire().on(prepareTurnCall, () => answerOf({ loaded: [memo], policyEpoch: 6 })).on(resolveTools, () => resolvedOf([], { policyEpoch: 6 }));
    const held = new HeldTools(wire.wire, 'ticket', new AbortController().signal, () => 6);
    const { context } = fakeTurn(wire, { held });
    await prepareTurn(context, chatOf());
    expect(inputsOf(wire)).toEqual([['prepare-turn', 6], ['resolve-tools', 6]]);
    expect(context.policyEpoch).toBe(6);
  });

  it('is plain chat when the registry says so before the catalog knows', async () => {
    const wire = new FakeWire().on(resolveTools, () => {
      throw refuse('tools-not-allowed', 'This account has plain chat only.', { policyEpoch: 2 });
    });
    wire.on(prepareTurnCall, ({ minEpoch }) => (minEpoch === 2 ? answerOf({ toolsAllowed: false, entries: [], policyEpoch: 2 }) : answerOf({ loaded: [memo] })));
    const { context } = fakeTurn(wire);
    await prepareTurn(context, chatOf());
    expect(context).toMatchObject({ toolsAllowed: false, loaded: [], policyEpoch: 2 });
  });

  it('fails when the registry refuses on no newer facts than the catalog has: they disagree', async () => {
    const wire = new FakeWire().on(prepareTurnCall, () => answerOf({ loaded: [memo] })).on(resolveTools, () => {
      throw refuse('tools-not-allowed', 'This account has plain chat only.', { policyEpoch: 1 });
    });
    await expect(prepareTurn(fakeTurn(wire).context, chatOf())).rejects.toMatchObject({ slug: 'tools-not-allowed' });
  });
});

describe('a turn that cannot be prepared', () => {
  it('leaves chat and prefix as they were', async () => {
    const wire = new FakeWire().on(prepareTurnCall, () => {
      throw unavailable('no-responder', 'No catalog.');
    });
    const { context } = fakeTurn(wire);
    await expect(prepareTurn(context, chatOf())).rejects.toMatchObject({ slug: 'no-responder' });
    expect(context.journal.history).toHaveLength(1);
    expect(context.prefixHash).toBeNull();
  });
});
