// A call with effects has one outcome over all instances of its executor, and whoever took a turn over learns which.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { callLedgerBucket } from '@skillgate/contracts/call-ledger-bucket';
import type { Settlement } from '@skillgate/contracts/tool-call';
import { stderrLog } from '@skillgate/wire/wire-log';
import { type LabHouse, startLab, until } from '../spec-support/lab-house.js';
import { release, reset, seen } from '../spec-support/lab.js';
import { keyOf } from './ledger-entry.js';
import { succeeded } from './outcome.js';
import { SharedLedger } from './shared-ledger.js';

let house: LabHouse;
beforeAll(async () => {
  house = await startLab();
  await house.serve();
  await house.serve(); // deliveries go to either
}, 30_000);
afterAll(() => house?.stop(), 30_000);
beforeEach(reset);

const settle = (callId: string, deadlineMs = 5_000, turn = house.turn): Promise<Settlement> =>
  house.orchestrator.settleCall('lab', { account: house.account, turn, callId }, { deadlineMs });
const signal = new AbortController().signal;

/** A ledger of an instance that this test plays itself. */
async function instance(goneMs = 1_500) {
  const wire = await house.nats.connect('lab');
  return { ledger: new SharedLedger(wire, callLedgerBucket('lab'), stderrLog, goneMs), wire };
}
const callOf = (callId: string, args: object = {}) => ({ account: house.account, callId, turn: house.turn, tool: 'lab_count', arguments: args });

describe('a call with effects, delivered again and again to several instances', () => {
  it('runs once, and every delivery gets the first result', async () => {
    const callId = randomUUID();
    const results = await Promise.all(Array.from({ length: 12 }, () => house.call('lab_count', { callId })));
    for (const result of results) expect(result).toEqual(results[0]);
    expect(seen.runs).toBe(1);
  });

  it('is refused with other arguments, whichever instance gets it', async () => {
    const callId = randomUUID();
    await house.call('lab_count', { callId });
    for (let n = 0; n < 6; n += 1) {
      expect(await house.failure('lab_count', { callId, args: { by: 5 } })).toMatchObject({ kind: 'refusal', slug: 'call-id-reused' });
    }
    expect(seen.runs).toBe(1);
  });

  it('that failed fails the same way, with its own words', async () => {
    const callId = randomUUID();
    for (let n = 0; n < 6; n += 1) {
      expect(await house.failure('lab_no', { callId })).toMatchObject({ kind: 'refusal', slug: 'lab-closed', details: { until: 'tomorrow' } });
    }
  });
});

describe('settling', () => {
  it('tells what a call gave', async () => {
    const callId = randomUUID();
    const { content, artifacts } = await house.call('lab_count', { callId });
    expect(await settle(callId)).toEqual({ state: 'done', result: { content, artifacts } });
  });

  it('tells why a call failed', async () => {
    const callId = randomUUID();
    await house.failure('lab_no', { callId });
    expect(await settle(callId)).toMatchObject({ state: 'failed', error: { kind: 'refusal', slug: 'lab-closed' } });
  });

  it('a call that has not arrived makes every instance refuse it, and says the same again', async () => {
    const callId = randomUUID();
    expect(await settle(callId)).toEqual({ state: 'never' });
    for (let n = 0; n < 6; n += 1) expect(await house.failure('lab_count', { callId })).toMatchObject({ kind: 'refusal', slug: 'call-settled' });
    expect(await settle(callId)).toEqual({ state: 'never' });
    expect(seen.runs).toBe(0);
  });

  it('waits for a call that runs, and no longer than it is waited for', async () => {
    const callId = randomUUID();
    const running = house.call('lab_hold', { callId });
    await until(() => seen.running === 1);
    expect(await settle(callId, 900)).toEqual({ state: 'running' });
    const settling = settle(callId);
    release();
    const { content, artifacts } = await running;
    expect(await settling).toEqual({ state: 'done', result: { content, artifacts } });
    expect(seen.runs).toBe(1);
  });

  it('races with the delivery: the call runs and is told, or it is refused; never both, never neither', async () => {
    for (let round = 0; round < 20; round += 1) {
      reset();
      const callId = randomUUID();
      const [call, settled] = await Promise.allSettled([house.call('lab_count', { callId }), settle(callId)]);
      expect(settled.status).toBe('fulfilled');
      const { state } = (settled as PromiseFulfilledResult<Settlement>).value;
      expect({ state, runs: seen.runs, call: call.status }).toEqual(
        state === 'done' ? { state, runs: 1, call: 'fulfilled' } : { state: 'never', runs: 0, call: 'rejected' },
      );
    }
  });

  it('a call of another turn is refused', async () => {
    const callId = randomUUID();
    await house.call('lab_count', { callId });
    await expect(settle(callId, 5_000, randomUUID())).rejects.toMatchObject({ kind: 'refusal', slug: 'call-id-reused' });
  });

  it('is for the orchestrator alone', async () => {
    const other = await house.nats.connect('other');
    const asked = other.settleCall('lab', { account: house.account, turn: house.turn, callId: 'x' }, { deadlineMs: 1_000 });
    await expect(asked).rejects.toMatchObject({ slug: 'not-permitted' });
  });
});

describe('a call whose instance went away in the middle', () => {
  it('is unknown to whoever settles it, and is never run again', async () => {
    const [dying, living] = await Promise.all([instance(), instance()]);
    const callId = randomUUID();
    expect(await dying.ledger.claim(callOf(callId), signal)).toHaveProperty('record');
    const request = { account: house.account, turn: house.turn, callId };
    expect(await living.ledger.settle(request, Date.now() + 2_500)).toEqual({ state: 'running' }); // it beats
    await dying.wire.close();
    expect(await living.ledger.settle(request, Date.now() + 6_000)).toEqual({ state: 'unknown' });
    await expect(living.ledger.claim(callOf(callId), signal)).rejects.toMatchObject({ slug: 'call-unknown' });
    expect(await settle(callId)).toEqual({ state: 'unknown' });
  }, 15_000);

  it('stays unknown when the instance was only slow: what was told is not taken back', async () => {
    const [slow, hasty] = await Promise.all([instance(), instance(0)]);
    const callId = randomUUID();
    const claim = await slow.ledger.claim(callOf(callId), signal);
    const request = { account: house.account, turn: house.turn, callId };
    expect(await hasty.ledger.settle(request, Date.now() + 3_000)).toEqual({ state: 'unknown' });
    if ('record' in claim) await claim.record({ started: true, result: { content: 1, artifacts: [] }, bytes: 10 });
    expect(await hasty.ledger.settle(request, Date.now() + 1_000)).toEqual({ state: 'unknown' });
  }, 15_000);
});

describe('a ledger that is out of reach', () => {
  it('keeps the call from running, and settles it for whoever asks later', async () => {
    const { ledger, wire } = await instance();
    await wire.close();
    await expect(ledger.claim(callOf(randomUUID()), signal)).rejects.toMatchObject({ kind: 'unavailable', slug: 'ledger-unavailable' });
  });

  it('holds a result as large as a message may carry', async () => {
    const { ledger } = await instance();
    const callId = randomUUID();
    const claim = await ledger.claim(callOf(callId), signal);
    const text = 'x'.repeat(254 * 1024);
    const outcome = succeeded({ manifest: { name: 'lab_big' } } as never, text, []);
    if ('record' in claim) await claim.record(outcome);
    expect(await ledger.settle({ account: house.account, turn: house.turn, callId }, Date.now() + 1_000)).toMatchObject({ state: 'done', result: { content: text } });
  });

  it('gets the word of a run when it is back', async () => {
    const { ledger, wire } = await instance();
    const callId = randomUUID();
    const claim = await ledger.claim(callOf(callId), signal);
    if (!('record' in claim)) throw new Error('not claimed');
    const restarting = house.nats.server.restart();
    await until(() => !wire.status().connected);
    const recording = claim.record({ started: true, result: { content: 'done meanwhile', artifacts: [] }, bytes: 20 });
    await Promise.all([restarting, recording]);
    expect(await ledger.settle({ account: house.account, turn: house.turn, callId }, Date.now() + 5_000)).toMatchObject({ state: 'done', result: { content: 'done meanwhile' } });
  }, 30_000);
});

it('the key of a call says nothing of account or call, and no two accounts share one', () => {
  const keys = [keyOf({ account: 'a', callId: 'b/c' }), keyOf({ account: 'a/b', callId: 'c' }), keyOf({ account: 'b', callId: 'b/c' })];
  for (const key of keys) expect(key).toMatch(/^[0-9a-f]{64}$/);
  expect(keys[0]).not.toBe(keys[2]);
});
