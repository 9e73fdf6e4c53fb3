import { describe, expect, it } from '@jest/globals';
import { breach, refuse, unavailable } from '@skillgate/contracts/refusal';
import { type FailedDelivery, settle } from './settle.js';

const failed = (error: unknown, more: Partial<FailedDelivery> = {}): FailedDelivery => ({
  error,
  attempt: 1,
  failures: 1,
  maxDeliver: 5,
  stopped: false,
  ...more,
});

describe('an event whose handler threw', () => {
  it.each([
    ['refused', refuse('unknown-account', 'No such account')],
    ['broke a contract', breach('invalid-event', 'n: expected a number')],
  ])('is buried at once when it was %s', (_what, error) => {
    expect(settle(failed(error))).toEqual({ act: 'bury', reason: { kind: error.kind, slug: error.slug, message: error.message } });
  });

  it.each([[1, 1_000], [2, 2_000], [4, 8_000], [7, 60_000], [5_000, 60_000]])(
    'comes again for ever while something is unavailable: after attempt %d in %d ms',
    (attempt, delayMs) => {
      expect(settle(failed(unavailable('no-responder', 'x'), { attempt, failures: 0 }))).toEqual({ act: 'again', delayMs });
    },
  );

  it('waits as long as whoever is unavailable asks for, up to a minute', () => {
    expect(settle(failed(unavailable('busy', 'x', 30_000)))).toEqual({ act: 'again', delayMs: 30_000 });
    expect(settle(failed(unavailable('busy', 'x', 3_600_000)))).toEqual({ act: 'again', delayMs: 60_000 });
  });

  it('is buried when the handler failed as often as allowed, and times of unavailability do not count', () => {
    expect(settle(failed(new TypeError('oops'), { attempt: 40, failures: 4 }))).toEqual({ act: 'again', delayMs: 8_000 });
    expect(settle(failed(new TypeError('oops'), { attempt: 41, failures: 5 }))).toEqual({
      act: 'bury',
      reason: { kind: 'defect', slug: 'internal', message: 'TypeError: oops' },
    });
  });

  it('goes to another instance soon when this one stops, whatever it threw', () => {
    expect(settle(failed(refuse('no', 'x'), { stopped: true }))).toEqual({ act: 'again', delayMs: 500 });
  });
});
