// A call has one result, however often it is delivered and whatever its caller does meanwhile.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { argumentsHash } from '@skillgate/contracts/arguments-hash';
import { type LabHouse, pause, until, startLab } from '../spec-support/lab-house.js';
import { lab, release, reset, seen } from '../spec-support/lab.js';

let house: LabHouse;
beforeAll(async () => {
  house = await startLab();
  await house.serve();
}, 20_000);
afterAll(() => house?.stop(), 20_000);
beforeEach(reset);

describe('one result for each call id', () => {
  it('a repeated delivery is answered with the first result and runs nothing', async () => {
    const callId = randomUUID();
    const first = await house.call('lab_count', { callId });
    expect(await house.call('lab_count', { callId, grant: await house.grant() })).toEqual(first);
    expect(seen.runs).toBe(1);
  });

  it('a repeated delivery waits for the first one that still runs', async () => {
    const callId = randomUUID();
    const both = [house.call('lab_hold', { callId }), house.call('lab_hold', { callId })];
    await until(() => seen.running === 1);
    release();
    const [first, second] = await Promise.all(both);
    expect(second).toEqual(first);
    expect(seen.runs).toBe(1);
  });

  it('the same id for other arguments or in another turn is refused', async () => {
    const callId = randomUUID();
    await house.call('lab_count', { callId });
    expect(await house.failure('lab_count', { callId, args: { by: 5 } })).toMatchObject({ kind: 'refusal', slug: 'call-id-reused' });
    const turn = randomUUID();
    expect(await house.failure('lab_count', { callId, grant: await house.grant({ turn }), turnId: turn })).toMatchObject({
      slug: 'call-id-reused',
    });
    expect(seen.runs).toBe(1);
  });

  it('a grant for one approved call runs it once, also a read, and nothing else', async () => {
    const callId = randomUUID();
    const grant = await house.grant({ call: { id: callId, argumentsHash: argumentsHash({ by: 2 }) } });
    const first = await house.call('lab_count', { callId, grant, args: { by: 2 } });
    expect(await house.call('lab_count', { callId, grant, args: { by: 2 } })).toEqual(first);
    expect(await house.failure('lab_count', { callId: randomUUID(), grant, args: { by: 2 } })).toMatchObject({ slug: 'grant-call' });
    expect(await house.failure('lab_count', { callId, grant, args: { by: 3 } })).toMatchObject({ slug: 'grant-call' });
    expect(seen.runs).toBe(2);
    const read = randomUUID();
    const forRead = await house.grant({ call: { id: read, argumentsHash: argumentsHash({}) } });
    await house.failure('lab_break', { callId: read, grant: forRead });
    await house.failure('lab_break', { callId: read, grant: forRead });
    expect(seen.runs).toBe(3); // the second had the first's outcome
  });

  it('a read that broke may run again; its words stay in the house', async () => {
    const callId = randomUUID();
    const error = await house.failure('lab_break', { callId });
    expect(error).toMatchObject({ kind: 'defect', slug: 'internal' });
    expect(JSON.stringify(error.toWire())).not.toContain('hunter2');
    await house.failure('lab_break', { callId });
    expect(seen.runs).toBe(2);
  });

  it('a caller that gave up and asks again gets the late result instead of a second effect', async () => {
    const callId = randomUUID();
    expect(await house.failure('lab_hold', { callId, deadlineMs: 200 })).toMatchObject({ slug: 'deadline-passed' });
    release();
    await until(() => seen.running === 0);
    expect(await house.call('lab_hold', { callId })).toMatchObject({ content: { runs: 1 } });
    expect(seen.runs).toBe(1);
  });
});

describe('stopping', () => {
  it('a cancelled call reaches the tool as its signal', async () => {
    const stop = new AbortController();
    const pending = house.failure('lab_listen', { signal: stop.signal });
    await until(() => seen.runs === 1);
    stop.abort();
    expect(await pending).toMatchObject({ slug: 'cancelled' });
    await until(() => seen.aborted !== undefined);
    expect(seen.aborted).toMatchObject({ slug: 'cancelled' });
  });

  it('a deadline reaches the tool as its signal', async () => {
    await house.failure('lab_listen', { deadlineMs: 200 });
    await until(() => seen.aborted !== undefined);
    expect(seen.aborted).toMatchObject({ slug: 'deadline-passed' });
  });

  it('a tool that does not listen to its time limit is answered for, with the doubt said', async () => {
    const error = await house.failure('lab_slow');
    expect(error).toMatchObject({ kind: 'refusal', slug: 'tool-timeout' });
    expect(error.message).toContain('Part of its work may be done');
    release();
  });

  it('a call whose deadline passed on the way does nothing', async () => {
    const first = Array.from({ length: lab.concurrency }, () => house.call('lab_hold'));
    await until(() => seen.running === lab.concurrency);
    expect(await house.failure('lab_count', { deadlineMs: 150 })).toMatchObject({ kind: 'unavailable', slug: 'deadline-passed' });
    await pause(20); // the executor's own clock may be a millisecond behind
    release();
    await Promise.all(first);
    expect(seen.runs).toBe(lab.concurrency);
  });
});
