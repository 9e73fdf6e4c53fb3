// Proves: what became of an earlier attempt's calls is asked, told and never guessed.
import { describe, expect, it } from '@jest/globals';
import { refuse, unavailable } from '@skillgate/contracts/refusal';
import type { Settlement } from '@skillgate/contracts/tool-call';
import { repair } from '@skillgate/prompt/repair-history';
import { notHeld } from './leave-turn.js';
import { closeUnfinished, settleRound } from './settle-round.js';
import { settleIntent } from './settle-intent.js';
import { fakeTurn } from './spec-support/fake-context.js';
import { FakeWire } from './spec-support/fake-wire.js';
import type { Intent, OpenRound } from './turn-records.js';

const intent: Intent = { sentAs: 'c1.2', executor: 'mail', tool: 'mail_send', effect: 'external', profile: 'google', skill: 'mail@1.0.0' };
const round: OpenRound = { text: 'Sending.', calls: [{ id: 'c1', name: 'mail_send', arguments: '{}' }, { id: 'c2', name: 'docs_read', arguments: '{}' }], intents: { c1: intent } };
const scene = (answer: () => Settlement | Promise<Settlement>) => {
  const wire = new FakeWire().onSettle(answer);
  return { wire, ...fakeTurn(wire) };
};

describe('a call that may have been sent', () => {
  it('is asked after by the id under which it was sent, in its own turn and account', async () => {
    const { wire, context } = scene(() => ({ state: 'never' }));
    expect(await settleRound(context, round)).toEqual(new Map());
    const { account, turn } = context.turn;
    expect(wire.sent).toMatchObject([{ input: { account, turn, callId: 'c1.2' } }]);
  });

  it.each<[string, Settlement, string, string | null, RegExp]>([
    ['gave a result has it', { state: 'done', result: { content: { id: 7 }, artifacts: [] } }, 'ok', null, /^\{"id":7\}$/],
    ['was refused has the words of the refusal', { state: 'failed', error: { kind: 'refusal', slug: 'no-such-address', message: 'There is no such address.' } }, 'refused', 'no-such-address', /"refused":"no-such-address"/],
    ['broke in the middle is unknown', { state: 'failed', error: { kind: 'defect', slug: 'internal', message: 'inner words' } }, 'unknown', 'internal', /check before you repeat it, and tell the user/],
    ['was lost with its instance is unknown', { state: 'unknown' }, 'unknown', 'call-unknown', /may or may not have taken effect/],
  ])('and %s', async (_, settlement, decision, reason, words) => {
    const { context, published } = scene(() => settlement);
    const run = (await settleRound(context, round)).get('c1');
    expect(run).toMatchObject({ step: { callId: 'c1', tool: 'mail_send', executor: 'mail', effect: 'external', profile: 'google', skill: 'mail@1.0.0', decision, reason } });
    expect(run?.content).toMatch(words);
    expect(run?.content).not.toContain('inner words');
    expect(published).toMatchObject([{ type: 'progress', progress: { stage: decision === 'ok' ? 'called' : 'refused', tool: 'mail_send' } }]); // the user hears it too
  });

  it('and runs is waited for, through an executor that is away for a moment', async () => {
    const answers = [() => ({ state: 'running' as const }), () => Promise.reject(unavailable('no-responder', 'away')), () => ({ state: 'done' as const, result: { content: 1, artifacts: [] } })];
    const { context, wire } = scene(() => answers.shift()!());
    expect(await settleIntent(context, intent, 30_000)).toMatchObject({ state: 'done' });
    expect(wire.count('settle')).toBe(3);
  });

  it.each<[string, () => Promise<Settlement>]>([
    ['says nothing in time', () => Promise.reject(unavailable('no-responder', 'away'))],
    ['refuses to say', () => Promise.reject(refuse('call-id-reused', 'another turn'))],
    ['says for ever that it runs', async () => ({ state: 'running' })],
  ])('is unknown when its executor %s', async (_, answer) => {
    expect(await settleIntent(scene(answer).context, intent, 600)).toEqual({ state: 'unknown' });
  });

  it('is asked after also when the user has cancelled, and not any more when the turn goes on elsewhere', async () => {
    const cancelled = scene(() => ({ state: 'done', result: { content: 1, artifacts: [] } }));
    cancelled.abort.abort(refuse('turn-cancelled', 'This turn was cancelled.'));
    expect(await settleIntent(cancelled.context, intent, 1_000)).toMatchObject({ state: 'done' });
    const left = scene(() => new Promise(() => undefined));
    const settling = settleIntent(left.context, intent, 60_000);
    left.abort.abort(notHeld());
    await expect(settling).rejects.toMatchObject({ slug: 'turn-not-held' });
  });
});

it('a round that does not go on has one result for each call: what had happened, and that the rest was not run', async () => {
  const { context } = scene(() => ({ state: 'done', result: { content: 'sent', artifacts: [{ id: 'a', name: 'n', mime: 'text/plain', bytes: 1 }] } }));
  await closeUnfinished(context, round, await settleRound(context, round));
  expect(context.journal.history.slice(1)).toMatchObject([
    { kind: 'assistant', text: 'Sending.', calls: [{ id: 'c1' }, { id: 'c2' }] },
    { kind: 'result', callId: 'c1', content: 'sent' },
    { kind: 'result', callId: 'c2', content: expect.stringContaining('not-run') },
  ]);
  expect(context.journal.steps).toMatchObject([{ tool: 'mail_send', decision: 'ok' }, { tool: 'docs_read', decision: 'refused', reason: 'not-run' }]);
  expect(context.artifacts).toHaveLength(1);
  expect(repair(context.journal.history).repairs).toEqual([]);
});
