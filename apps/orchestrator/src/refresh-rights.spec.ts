import { describe, expect, it } from '@jest/globals';
import { prepareTurn as prepareTurnCall } from '@skillgate/contracts/calls/catalog';
import { resolveTools } from '@skillgate/contracts/calls/registry';
import { refuse, unavailable } from '@skillgate/contracts/refusal';
import type { HistoryItem } from '@skillgate/prompt/history';
import { buildRequest } from './build-request.js';
import { HeldTools } from './held-tools.js';
import { cancelledByUser } from './keep-lease.js';
import { prepareTurn } from './prepare-turn.js';
import { refreshRights } from './refresh-rights.js';
import { chatOf, digestOf, entryOf, modelOf, resolvedOf, skillOf, toolOf } from './spec-support/facts.js';
import { fakeTurn } from './spec-support/fake-context.js';
import { FakeWire } from './spec-support/fake-wire.js';
import type { TurnContext } from './turn-context.js';
import type { Rights } from './ask-rights.js';

const [read, write, late] = [toolOf('docs_read'), toolOf('docs_write', { effect: 'write' }), toolOf('docs_late')];
const memo = skillOf('memo');
const rightsOf = (change: Partial<Rights> = {}): Rights => ({
  ...{ toolsAllowed: true, entries: [entryOf('memo'), entryOf('agenda')], always: [], loaded: [memo], withheld: [], policyEpoch: 1 },
  ...change,
});

/** A turn that runs with `memo` loaded, before its next step. `heard` is what its instance hears. */
async function running(change: Partial<TurnContext> = {}, ...before: HistoryItem[]) {
  const now = { heard: 0, rights: rightsOf(), resolved: () => resolvedOf([read, write]) };
  const wire = new FakeWire().on(prepareTurnCall, () => now.rights).on(resolveTools, () => now.resolved());
  const held = new HeldTools(wire.wire, 'ticket', new AbortController().signal, () => now.heard);
  const turn = fakeTurn(wire, { held, ...change });
  const { context } = turn;
  context.journal.history.push(...before);
  await prepareTurn(context, chatOf());
  await refreshRights(context); // before the first step
  const asked = wire.sent.length;
  const items = context.journal.history.length;
  return {
    ...turn,
    wire,
    now,
    asked: () => wire.sent.length - asked,
    /** What the history has more than before. */
    async refresh() {
      await refreshRights(context);
      return context.journal.history.slice(items);
    },
  };
}
const text = (items: unknown[]) => JSON.stringify(items);
const inputs = (wire: FakeWire) => wire.sent.slice(-2).map(({ input }) => (input as { minEpoch?: number }).minEpoch);

describe('before a step', () => {
  it('nobody is asked while nothing has changed', async () => {
    const { now, refresh, asked } = await running();
    now.heard = 1;
    expect(await refresh()).toEqual([]);
    expect(asked()).toBe(0);
  });

  it('a raised policy is asked after once, on facts at least as new', async () => {
    const { now, refresh, asked, wire, context } = await running();
    Object.assign(now, { heard: 4, rights: rightsOf({ policyEpoch: 4 }), resolved: () => resolvedOf([read, write], { policyEpoch: 4 }) });
    expect(await refresh()).toEqual([]); // nothing of it concerns the model
    expect(inputs(wire)).toEqual([4, 4]);
    await refresh();
    expect(asked()).toBe(2);
    expect(context.policyEpoch).toBe(4);
  });

  it('tools that closed are told with the reason; what was sent before does not change by a byte', async () => {
    const { now, refresh, context, published } = await running();
    const before = buildRequest(context, {});
    const withheld = [{ name: 'docs/docs_write', slug: 'capability-missing', message: 'The plan has no "writing".' }];
    Object.assign(now, { heard: 2, rights: rightsOf({ policyEpoch: 2 }), resolved: () => resolvedOf([read], { policyEpoch: 2, withheld }) });
    const added = await refresh();
    expect(added).toMatchObject([{ kind: 'notice', text: expect.stringContaining('- docs_write: The plan has no "writing".') }]);
    const after = buildRequest(context, {});
    expect(after.tools).toEqual(before.tools);
    expect(after.messages.slice(0, before.messages.length)).toEqual(before.messages);
    expect(published.at(-1)).toMatchObject({ progress: { stage: 'refused' } });
  });

  it('a tool that a renewed grant closed in the round before is told as well', async () => {
    const { now, refresh, context } = await running();
    Object.assign(now, { rights: rightsOf({ policyEpoch: 2 }), resolved: () => resolvedOf([read], { policyEpoch: 2 }) });
    await context.held.grantAfter(write, (await context.held.grantFor(write))!, 2);
    expect(text(await refresh())).toContain('- docs_write: ');
  });

  it('a tool that opened works and is told, in plan dispatch with its schema', async () => {
    const opened = { heard: 2, rights: rightsOf({ policyEpoch: 2 }), resolved: () => resolvedOf([read, write, late], { policyEpoch: 2 }) };
    const expand = await running();
    Object.assign(expand.now, opened);
    expect(text(await expand.refresh())).toContain('These tools work now: docs_late');
    expect(JSON.stringify(buildRequest(expand.context, {}).tools)).toContain('docs_late');
    const dispatch = await running({ entry: modelOf({ plan: 'dispatch' }) });
    Object.assign(dispatch.now, opened);
    expect(await dispatch.refresh()).toMatchObject([{ kind: 'loaded', schemas: expect.stringContaining('docs_late') }, { kind: 'notice' }]);
  });

  it('a skill that a lock switched off is lost with its tools, and one that came is listed', async () => {
    const entered: HistoryItem = { kind: 'loaded', skills: [memo], callIds: {} };
    const { now, refresh, context } = await running({}, entered);
    const decision = { slug: 'memo', state: 'never' as const, layer: 'default' as const, usable: false };
    const withheld = [{ ...decision, unmet: [{ kind: 'withdrawn', need: 'package', message: 'It was taken out of use: Wrong.' }] }];
    Object.assign(now, { heard: 2, rights: rightsOf({ policyEpoch: 2, loaded: [], withheld, entries: [entryOf('agenda'), entryOf('travel')] }) });
    const told = text(await refresh());
    expect(told).toMatch(/The instructions of memo above do not count any more.*- memo: It was taken out of use: Wrong\./);
    expect(told).toContain('No longer available: memo');
    expect(told).toContain('- travel: Does travel.');
    expect(context).toMatchObject({ loaded: [], entries: [entryOf('agenda'), entryOf('travel')] });
    expect(context.held.grantedTools).toEqual([]);
  });

  it('a skill that is `always` from now on enters with its instructions', async () => {
    const { now, refresh } = await running();
    const style = skillOf('style', { digest: digestOf('b') });
    Object.assign(now, { heard: 2, rights: rightsOf({ policyEpoch: 2, always: [style] }) });
    expect(await refresh()).toMatchObject([{ kind: 'loaded', skills: [{ slug: 'style' }] }]);
  });
});

describe('a downgrade to plain chat', () => {
  const plain = { heard: 2, rights: rightsOf({ toolsAllowed: false, entries: [], loaded: [], policyEpoch: 2 }) };
  const refused = () => {
    throw refuse('tools-not-allowed', 'This account has plain chat only.', { policyEpoch: 2 });
  };

  it('leaves the request as it was, tells the model, and grants nothing', async () => {
    const { now, refresh, context } = await running();
    const before = buildRequest(context, {});
    Object.assign(now, plain, { resolved: refused });
    expect(text(await refresh())).toContain('plain chat only now');
    const after = buildRequest(context, {});
    expect(after.tools).toEqual(before.tools);
    expect(after.messages.slice(0, before.messages.length)).toEqual(before.messages);
    expect(context).toMatchObject({ entries: [], loaded: [], toolsAllowed: true });
    await expect(context.held.grantFor(read)).rejects.toMatchObject({ slug: 'tools-not-allowed' });
  });

  it('that the registry knows of before the catalog is told all the same', async () => {
    const { now, refresh, wire } = await running();
    Object.assign(now, { heard: 2, resolved: refused });
    wire.on(prepareTurnCall, ({ minEpoch }) => (minEpoch === 2 ? plain.rights : rightsOf()));
    expect(text(await refresh())).toContain('plain chat only now');
  });

  it('and back again lists every skill anew, since the model was told that there is none', async () => {
    const { now, refresh, context } = await running();
    Object.assign(now, plain, { resolved: refused });
    await refresh();
    Object.assign(now, { heard: 3, rights: rightsOf({ policyEpoch: 3 }), resolved: () => resolvedOf([read, write], { policyEpoch: 3 }) });
    const told = text((await refresh()).slice(1));
    expect(told).toContain('- memo: Does memo.');
    expect(told).toContain('These tools work now: docs_read, docs_write');
    expect(await context.held.grantFor(write)).toMatchObject({ executor: 'docs' });
  });
});

describe('when nobody can say what has changed', () => {
  const away = () => {
    throw unavailable('no-responder', 'No registry.');
  };

  it('the turn goes on, and the next step asks again', async () => {
    const { now, refresh, context, logged } = await running();
    Object.assign(now, { heard: 2, resolved: away });
    expect(await refresh()).toEqual([]);
    expect(logged.join()).toContain('asks again before its next step');
    expect(context.policyEpoch).toBe(1);
    Object.assign(now, { rights: rightsOf({ policyEpoch: 2 }), resolved: () => resolvedOf([read], { policyEpoch: 2 }) });
    expect(text(await refresh())).toContain('docs_write');
  });

  it('a stopped turn stops', async () => {
    const { now, refresh, abort } = await running();
    Object.assign(now, { heard: 2, resolved: away });
    abort.abort(cancelledByUser());
    await expect(refresh()).rejects.toMatchObject({ slug: 'no-responder' });
  });
});
