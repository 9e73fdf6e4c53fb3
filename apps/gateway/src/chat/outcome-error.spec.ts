import { describe, expect, it } from '@jest/globals';
import type { TurnOutcome } from '@skillgate/contracts/turn-stream';
import { describeError } from '../errors/describe-error.js';
import { outcomeError } from './outcome-error.js';

const outcome = (status: TurnOutcome['status'], slug?: string): TurnOutcome => ({
  status,
  answer: '',
  finishReason: status === 'finished' ? 'stop' : 'error',
  error: slug ? { slug, message: 'Because.', correlationId: 'c7' } : null,
  artifacts: [],
  usage: { promptTokens: 0, completionTokens: 0, cachedTokens: 0 },
});

describe('the error of a turn without an answer', () => {
  it('is none for a finished turn', () => {
    expect(outcomeError(outcome('finished'))).toBeNull();
  });

  it.each<[string, TurnOutcome, number, string]>([
    ['a model that cannot be reached may be tried again', outcome('failed', 'model-unreachable'), 503, 'model-unreachable'],
    ['an interrupted turn may be tried again', outcome('failed', 'turn-interrupted'), 503, 'turn-interrupted'],
    ['a limit says no', outcome('failed', 'turn-limit-steps'), 422, 'turn-limit-steps'],
    ['our own failure is ours', outcome('failed', 'internal'), 500, 'internal'],
    ['a failure without a reason is ours', outcome('failed'), 500, 'internal'],
    ['a cancelled turn conflicts with the wish for an answer', outcome('cancelled'), 409, 'turn-cancelled'],
  ])('%s', (_sentence, ended, status, slug) => {
    expect(describeError(outcomeError(ended), 'c1')).toMatchObject({ status, slug });
  });
});
