import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import type { EventPayload } from '@skillgate/contracts/define-event';
import type { policyRaised } from '@skillgate/contracts/events/accounts';
import { breach } from '@skillgate/contracts/refusal';
import type { Wire } from '@skillgate/wire/wire';
import { PolicyEpochs, watchPolicy } from './policy-epochs.js';

const [ada, bob, cid] = [randomUUID(), randomUUID(), randomUUID()];

describe('the newest policy epoch of an account', () => {
  it('is the highest one heard, in whatever order', () => {
    const epochs = new PolicyEpochs();
    expect([3, 2, 3, 5].map((epoch) => epochs.raise(ada, epoch))).toEqual([true, false, false, true]);
    expect(epochs.newest(ada)).toBe(5);
  });

  it('is 0 for an account that was not heard of', () => {
    const epochs = new PolicyEpochs();
    epochs.raise(ada, 4);
    expect(epochs.newest(bob)).toBe(0);
  });

  it('is forgotten for the account that was asked after longest ago, when there are too many', () => {
    const epochs = new PolicyEpochs(2);
    epochs.raise(ada, 1);
    epochs.raise(bob, 2);
    expect(epochs.newest(ada)).toBe(1);
    epochs.raise(cid, 3);
    expect([ada, bob, cid].map((account) => epochs.newest(account))).toEqual([1, 0, 3]);
  });
});

describe('watching', () => {
  type Heard = (payload: EventPayload<typeof policyRaised>) => void;
  const wireOf = (ready: Promise<void>) => {
    const heard: Heard[] = [];
    const watch = (_event: typeof policyRaised, onEvent: Heard) => {
      heard.push(onEvent);
      return { ready, drain: async () => undefined, close: () => undefined };
    };
    return { wire: { watch } as unknown as Pick<Wire, 'watch'>, tell: (payload: EventPayload<typeof policyRaised>) => heard.forEach((one) => one(payload)) };
  };

  it('raises what accounts tells', async () => {
    const epochs = new PolicyEpochs();
    const { wire, tell } = wireOf(Promise.resolve());
    await watchPolicy(wire, epochs, { error: () => expect('nothing logged').toBe('logged') });
    tell({ account: ada, policyEpoch: 9 });
    expect(epochs.newest(ada)).toBe(9);
  });

  it('that the broker forbids is told in the log and stops nobody', async () => {
    const logged: unknown[] = [];
    const denied = Promise.reject(breach('not-permitted', 'NATS user "docs" may not'));
    await watchPolicy(wireOf(denied).wire, new PolicyEpochs(), { error: ((facts: object) => logged.push(facts)) as never });
    expect(logged).toMatchObject([{ err: { slug: 'not-permitted' } }]);
  });
});
