import { describe, expect, it } from '@jest/globals';
import { resolveTools } from '@skillgate/contracts/calls/registry';
import { breach, HouseError, refuse, unavailable } from '@skillgate/contracts/refusal';
import { cancelledByUser } from './keep-lease.js';
import { runTool } from './run-tool.js';
import { grantOf, resolvedOf, skillOf, toolOf } from './spec-support/facts.js';
import { fakeTurn } from './spec-support/fake-context.js';
import { FakeWire } from './spec-support/fake-wire.js';

const [read, write] = [toolOf('docs_read'), toolOf('docs_write', { effect: 'write' })];

async function scene(answer: () => { content?: unknown }, resolved = resolvedOf([read, write])) {
  const wire = new FakeWire().on(resolveTools, () => resolved).onTool('docs_read', answer).onTool('docs_write', answer);
  const turn = fakeTurn(wire);
  await turn.context.held.open(skillOf('memo'));
  return { wire, ...turn };
}
const failing = (error: unknown) => () => {
  throw error;
};
const lost = (sent: boolean) => new HouseError({ kind: 'unavailable', slug: 'wire-disconnected', message: 'The wire was lost.', details: { sent } });

describe('a tool call', () => {
  it('goes to its executor under the grant, with its own id, and has the tool\'s time and a word more', async () => {
    const { wire, context } = await scene(() => ({ content: { text: 'x' } }));
    const run = await runTool(context, 'c1', read, { a: 1 });
    expect(run).toMatchObject({ content: '{"text":"x"}', step: { decision: 'ok', executor: 'docs', skill: 'memo@1.0.0', profile: 'docs', effect: 'read' } });
    expect(run.step.grantId).toMatch(/^[0-9a-f-]{36}$/);
    expect(wire.sent.at(-1)).toMatchObject({
      input: { arguments: { a: 1 } },
      options: { grant: 'grant.for.docs', callId: 'c1', turnId: context.turn.turn, deadlineMs: 6_000, signal: context.signal },
    });
  });

  it.each([
    ['text stays as it is', 'a "b"', 'a "b"'],
    ['nothing is null', undefined, 'null'],
    ['data is JSON', [1], '[1]'],
  ])('whose result is %s', async (_, content, text) => {
    const { context } = await scene(() => ({ content }));
    expect((await runTool(context, 'c1', read, {})).content).toBe(text);
  });

  it('reaches its executor under the name that it has there', async () => {
    const theirs = toolOf('create_event_team_b', { ownName: 'create_event', executor: 'team-b' });
    const wire = new FakeWire().on(resolveTools, () => resolvedOf([theirs])).onTool('create_event', () => ({ content: 'x' }));
    const { context } = fakeTurn(wire);
    await context.held.open(skillOf('memo'));
    const run = await runTool(context, 'c1', theirs, {});
    expect(run).toMatchObject({ content: 'x', step: { tool: 'create_event_team_b', executor: 'team-b', decision: 'ok' } });
    expect(wire.count('create_event')).toBe(1);
  });

  it.each([
    ['a read is given up', read, 'failed', false],
    ['a write may have taken effect', write, 'unknown', true],
  ])('whose executor falls silent meanwhile waits no longer: %s', async (_, tool, decision, doubt) => {
    const { context } = await scene(() => new Promise<never>(() => undefined) as never);
    const running = runTool(context, 'c1', tool, {});
    setImmediate(() => {
      context.working.silent('slack');
      setImmediate(() => context.working.silent('docs'));
    });
    const { content, step } = await running;
    expect(step).toMatchObject({ decision, reason: 'executor-away' });
    expect(content).toContain('fell silent');
    expect(content.includes('may or may not')).toBe(doubt);
  });

  it('that is not granted any more says why and is not sent', async () => {
    const withheld = [{ name: 'docs/docs_write', slug: 'skill-never', message: 'A lock switched the skill off.' }];
    const { wire, context } = await scene(() => ({}), resolvedOf([read], { withheld }));
    const run = await runTool(context, 'c1', write, {});
    expect(JSON.parse(run.content)).toEqual({ refused: 'not-granted', message: expect.stringContaining('A lock switched the skill off.') });
    expect(run.step).toMatchObject({ decision: 'refused', reason: 'not-granted', grantId: null });
    expect(wire.count('docs_write')).toBe(0);
  });

  it('lets its executor speak to the user while it works, and to nobody else', async () => {
    let heard = 0;
    const { context, published } = await scene(() => {
      const said = { callId: 'c1', tool: 'docs_read', message: 'page 2 of 3', fraction: 0.5 };
      const { turn } = context.turn;
      context.working.heard(said, { executor: 'slack', turnId: turn });
      context.working.heard(said, { executor: 'docs', turnId: 'another' });
      context.working.heard({ ...said, callId: 'c2' }, { executor: 'docs', turnId: turn });
      heard = published.length;
      context.working.heard(said, { executor: 'docs', turnId: turn });
      return { content: 'x' };
    });
    await runTool(context, 'c1', read, {});
    context.working.heard({ callId: 'c1', tool: 'docs_read', message: 'too late' }, { executor: 'docs', turnId: context.turn.turn });
    expect(published.slice(heard)).toMatchObject([{ progress: { stage: 'working', message: 'page 2 of 3', fraction: 0.5 } }, { progress: { stage: 'called' } }]);
    expect(heard).toBe(1); // what the others said did not pass
  });
});

describe('a grant that its executor calls too old', () => {
  const outdated = refuse('grant-outdated', 'Resolve anew.', { policyEpoch: 3 });
  const once = (error: unknown, then: () => { content?: unknown } = () => ({ content: 'done' })) => {
    let calls = 0;
    return () => {
      calls += 1;
      if (calls === 1) throw error;
      return then();
    };
  };

  it.each([
    ['an older policy', outdated, 3],
    ['a time that is over by its clock', refuse('grant-expired', 'Expired.'), undefined],
  ])('for %s is renewed, and the call comes again under the same id', async (_, error, minEpoch) => {
    const { wire, context } = await scene(once(error));
    if (minEpoch) wire.on(resolveTools, () => resolvedOf([read, write], { policyEpoch: minEpoch }));
    const run = await runTool(context, 'c1', write, { a: 1 });
    expect(run).toMatchObject({ content: 'done', step: { decision: 'ok' } });
    expect(wire.sent.map(({ subject }) => subject).slice(1)).toEqual(['docs_write', resolveTools.subject, 'docs_write']);
    expect(wire.sent[2]?.input).toMatchObject({ receipts: ['receipt.of.memo'], ...(minEpoch && { minEpoch }) });
    expect([1, 3].map((at) => wire.sent[at]?.options.callId)).toEqual(['c1', 'c1']);
  });

  it('is renewed once: an executor that stays of its mind is told to the model', async () => {
    const { wire, context } = await scene(failing(outdated));
    wire.on(resolveTools, () => resolvedOf([read, write], { policyEpoch: 3 }));
    const run = await runTool(context, 'c1', write, {});
    expect(run.step).toMatchObject({ decision: 'refused', reason: 'grant-outdated' });
    expect(wire.count('docs_write')).toBe(2);
  });

  it.each([
    [
      'the tool does not open any more',
      () => resolvedOf([read], { policyEpoch: 3, withheld: [{ name: 'docs/docs_write', slug: 'capability-missing', message: 'The plan has no "writing".' }] }),
      'not-granted',
      'The plan has no "writing".',
    ],
    ['the account has plain chat only', failing(refuse('tools-not-allowed', 'This account has plain chat only.')), 'tools-not-allowed', 'This account has plain chat only.'],
  ])('because %s tells the model so, and the call is not sent again', async (_, answer, reason, why) => {
    const { wire, context } = await scene(once(outdated));
    wire.on(resolveTools, answer as () => ReturnType<typeof resolvedOf>);
    const { content, step } = await runTool(context, 'c1', write, {});
    expect(step).toMatchObject({ decision: 'refused', reason });
    expect(content).toContain(JSON.stringify(why).slice(1, -1));
    expect(wire.count('docs_write')).toBe(1);
  });

  it('and cannot be renewed leaves no doubt about a write, which never ran', async () => {
    const { wire, context } = await scene(once(outdated));
    wire.on(resolveTools, failing(unavailable('deadline-passed', 'Too slow.')) as never);
    const { content, step } = await runTool(context, 'c1', write, {});
    expect(step).toMatchObject({ decision: 'failed', reason: 'deadline-passed' });
    expect(content).not.toContain('may or may not');
  });

  it('does not take the doubt away when the repeated write is lost', async () => {
    const { wire, context } = await scene(once(outdated, failing(lost(true)) as () => { content?: unknown }));
    wire.on(resolveTools, () => resolvedOf([read, write], { policyEpoch: 3 }));
    expect((await runTool(context, 'c1', write, {})).step).toMatchObject({ decision: 'unknown' });
  });
});

describe('a tool call that went wrong', () => {
  it.each<[string, unknown, typeof read, string, string]>([
    ['a refusal of the executor', refuse('invalid-arguments', 'artifact: wrong'), write, 'refused', 'invalid-arguments'],
    ['nobody there', unavailable('no-responder', 'Nobody.'), write, 'failed', 'no-responder'],
    ['an executor with too much to do', unavailable('executor-busy', 'Later.'), write, 'failed', 'executor-busy'],
    ['a connection that was down before', lost(false), write, 'failed', 'wire-disconnected'],
    ['arguments that are too large to send', breach('message-too-large', 'At most 256 KiB.'), write, 'failed', 'message-too-large'],
    ['a read that timed out', unavailable('deadline-passed', 'Too slow.'), read, 'failed', 'deadline-passed'],
    ['a write that timed out', unavailable('deadline-passed', 'Too slow.'), write, 'unknown', 'deadline-passed'],
    ['a connection that was lost after a write was sent', lost(true), write, 'unknown', 'wire-disconnected'],
    ['a write whose answer broke its contract', breach('invalid-output', 'inner words'), write, 'unknown', 'invalid-output'],
    ['a write that failed inside', new HouseError({ kind: 'defect', slug: 'internal', message: 'inner words' }), write, 'unknown', 'internal'],
    ['an error of ours', new TypeError('inner words'), read, 'failed', 'internal'],
  ])('%s', async (_, error, tool, decision, reason) => {
    const { context } = await scene(failing(error));
    const { content, step, artifacts } = await runTool(context, 'c1', tool, {});
    expect(step).toMatchObject({ decision, reason });
    const answer = JSON.parse(content) as Record<string, string>;
    expect(answer[decision === 'refused' ? 'refused' : 'error']).toBe(reason);
    expect(answer.message?.includes('check before you repeat it')).toBe(decision === 'unknown');
    expect(content).not.toContain('inner words');
    expect(artifacts).toEqual([]);
  });

  it.each([
    ['a read', read, false],
    ['a write', write, true],
  ])('because the user stopped the turn during %s says so', async (_, tool, doubt) => {
    const { context, abort } = await scene(() => {
      abort.abort(cancelledByUser());
      throw unavailable('cancelled', 'The call was cancelled by its caller');
    });
    const { content, step } = await runTool(context, 'c1', tool, {});
    expect(step).toMatchObject({ decision: 'cancelled', reason: 'turn-cancelled' });
    expect(content.includes('may or may not')).toBe(doubt);
  });

  it('because the turn was stopped while its grant was renewed is not sent', async () => {
    const { context, abort, wire } = await scene(() => ({ content: 'x' }), resolvedOf([read], { grants: [grantOf('docs', { expiresAt: 0 })] }));
    wire.on(resolveTools, () => {
      abort.abort(cancelledByUser());
      return resolvedOf([read]);
    });
    expect((await runTool(context, 'c1', read, {})).step.decision).toBe('cancelled');
    expect(wire.count('docs_read')).toBe(0);
  });
});
