import { describe, expect, it } from '@jest/globals';
import type { ConsumerStatus } from '@skillgate/wire/delivery';
import { eventsVerdict } from './events-health.js';

const status: ConsumerStatus = { durable: 'catalog__entitlements-changed', stream: 'EVENTS_ACCOUNTS', pending: 900, ackPending: 16, redelivered: 3, lagMs: 60_000 };
const wire = (...consumers: ConsumerStatus[]) => ({ consumers: async () => consumers });

describe('the health of what a service hears', () => {
  it('is up while it is behind, and says how far', async () => {
    expect(await eventsVerdict(wire(status))).toEqual({ up: true, facts: { consumers: [status] } });
  });

  it('is up while a stream is missing, and names it', async () => {
    const detail = 'stream "EVENTS_ACCOUNTS" is missing; its owner creates it when it starts';
    expect(await eventsVerdict(wire({ ...status, detail }))).toMatchObject({ up: true, detail: `catalog__entitlements-changed: ${detail}` });
  });

  it('is up while JetStream is silent, and says so in time', async () => {
    expect(await eventsVerdict({ consumers: () => new Promise(() => undefined) })).toEqual({ up: true, detail: 'JetStream gave no word on consumers within 500 ms' });
  });
});
