import { describe, expect, it } from '@jest/globals';
import { breach, refuse, unavailable } from '@skillgate/contracts/refusal';
import { turnOutcome } from '@skillgate/contracts/turn-stream';
import { cancelledByUser } from './keep-lease.js';
import { fakeTurn } from './spec-support/fake-context.js';
import { FakeWire } from './spec-support/fake-wire.js';
import { outcomeOf } from './turn-outcome.js';

function ended(error: unknown) {
  const turn = fakeTurn(new FakeWire());
  turn.context.publisher.delta('Half an ans');
  return { ...turn, outcome: outcomeOf(turn.context, { error }) };
}

describe('the outcome of a turn', () => {
  it('is the streamed text, the files and the sums of usage when the model had the last word', () => {
    const { context } = fakeTurn(new FakeWire());
    context.publisher.delta('The ');
    context.publisher.delta('answer.');
    context.artifacts.push({ id: `art_${'0'.repeat(32)}`, name: 'a.txt', mime: 'text/plain', bytes: 1 });
    context.usage = { promptTokens: 30, completionTokens: 4, cachedTokens: 20, usd: 1 };
    const outcome = outcomeOf(context, { finishReason: 'length' });
    expect(outcome).toMatchObject({ status: 'finished', answer: 'The answer.', finishReason: 'length', error: null, usage: { promptTokens: 30, completionTokens: 4, cachedTokens: 20 } });
    expect(outcome.usage).not.toHaveProperty('usd');
    expect(turnOutcome.safeParse(outcome).success).toBe(true);
  });

  it.each([
    ['a refusal keeps its words', refuse('turn-limit-steps', 'Ask for less.'), 'failed', 'turn-limit-steps', 'Ask for less.'],
    ['an outage keeps its words', unavailable('model-overloaded', 'Try again.'), 'failed', 'model-overloaded', 'Try again.'],
    ['a cancellation is no failure', cancelledByUser(), 'cancelled', 'turn-cancelled', 'This turn was cancelled.'],
    ['a breach is ours and stays inside', breach('invalid-input', 'secret path'), 'failed', 'internal', 'operator finds the reason'],
    ['a defect is ours and stays inside', new TypeError('secret is undefined'), 'failed', 'internal', 'operator finds the reason'],
    ['something thrown that is no error stays inside', 'secret', 'failed', 'internal', 'operator finds the reason'],
  ])('%s', (_, error, status, slug, words) => {
    const { outcome, context, logged } = ended(error);
    expect(outcome).toMatchObject({ status, answer: 'Half an ans', finishReason: status === 'cancelled' ? 'cancelled' : 'error', error: { slug } });
    expect(outcome.error?.message).toContain(words);
    expect(JSON.stringify(outcome)).not.toContain('secret');
    expect(outcome.error?.correlationId).toBe(context.turn.traceId);
    expect(logged.join('')).toContain('a turn did not finish');
    expect(turnOutcome.safeParse(outcome).success).toBe(true);
  });
});
