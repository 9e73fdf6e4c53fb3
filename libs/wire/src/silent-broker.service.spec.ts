import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { emitterEdges, hearerEdges, makeStreams, ring } from '../spec-support/events.js';
import { failure, startHouse, type TestHouse } from '../spec-support/house.js';
import type { Wire } from './wire.js';

/** A broker that holds its connections and does not answer, as while its disk hangs. */
describe('events published to a broker that has fallen silent', () => {
  let house: TestHouse;
  let asker: Wire;

  beforeAll(async () => {
    house = await startHouse([emitterEdges, hearerEdges]);
    asker = await house.wire('asker');
    await makeStreams(asker, emitterEdges);
  }, 20_000);
  afterAll(() => house.stop());

  it('are unavailable after five seconds, all of them, and may be published again', async () => {
    process.kill(house.nats.pid, 'SIGSTOP');
    const began = Date.now();
    try {
      const failures = await Promise.all([1, 2, 3].map((n) => failure(ring(asker, n))));
      expect(failures.map(({ slug }) => slug)).toEqual(['deadline-passed', 'deadline-passed', 'deadline-passed']);
      expect(Date.now() - began).toBeGreaterThanOrEqual(4_900);
      expect(Date.now() - began).toBeLessThan(8_000);
    } finally {
      process.kill(house.nats.pid, 'SIGCONT');
    }
    await expect(ring(asker, 1)).resolves.toMatchObject({ stream: 'EVENTS_ASKER' });
  }, 20_000);
});
