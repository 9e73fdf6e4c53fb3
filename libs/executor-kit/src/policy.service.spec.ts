// A downgrade bites at the executor: at once where its event is heard, and when the grant ends where it is not.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { HouseError } from '@skillgate/contracts/refusal';
import { executorEdges } from '@skillgate/contracts/services/executor';
import { type LabHouse, pause, startLab } from '../spec-support/lab-house.js';
import { reset, seen } from '../spec-support/lab.js';

let house: LabHouse;
const replicas = 2;
const enough = 40; // calls, of which each of two replicas gets some: 1 in 10^12 that one gets none

/** How a call ends with a grant of that epoch: `ok`, or the slug of the refusal. */
const ends = (grant: string) => house.call('lab_count', { grant }).then(() => 'ok', ({ slug }: HouseError) => slug);
const atOnce = 8; // which the slots of one instance take
async function manyEnds(grant: string): Promise<Set<string>> {
  const slugs = new Set<string>();
  for (let n = 0; n < enough; n += atOnce) {
    for (const slug of await Promise.all(Array.from({ length: atOnce }, () => ends(grant)))) slugs.add(slug);
  }
  return slugs;
}

async function untilAll(grant: string, slug: string): Promise<void> {
  for (const until = Date.now() + 5_000; Date.now() < until; await pause(20)) {
    const slugs = await manyEnds(grant);
    if (slugs.size === 1 && slugs.has(slug)) return;
  }
  throw new Error(`not every replica answered ${slug} within 5 s`);
}

describe('executors that hear of a raised policy', () => {
  beforeAll(async () => {
    house = await startLab();
    for (let n = 0; n < replicas; n += 1) await house.serve();
  }, 20_000);
  afterAll(() => house?.stop(), 20_000);
  beforeEach(reset);

  it('refuse every grant of an older one, in each replica, and take one of the new', async () => {
    const [old, fresh] = [await house.grant({ policyEpoch: 1 }), await house.grant({ policyEpoch: 2 })];
    expect(await manyEnds(old)).toEqual(new Set(['ok']));
    await house.raise(house.account, 2);
    await untilAll(old, 'grant-outdated');
    reset();
    expect(await house.failure('lab_count', { grant: old })).toMatchObject({ kind: 'refusal', slug: 'grant-outdated', details: { policyEpoch: 2 } });
    expect(seen.runs).toBe(0);
    expect(await ends(fresh)).toBe('ok');
  });

  it('do not go back when an older word comes late, and leave other accounts alone', async () => {
    const account = randomUUID();
    const of = (policyEpoch: number) => house.grant({ account, policyEpoch });
    await house.raise(account, 5);
    await house.raise(account, 4);
    await untilAll(await of(4), 'grant-outdated');
    expect(await ends(await of(5))).toBe('ok');
    expect(await ends(await house.grant({ account: randomUUID(), policyEpoch: 1 }))).toBe('ok');
  });
});

describe('an executor that does not hear of it', () => {
  beforeAll(async () => {
    house = await startLab({ ...executorEdges('lab'), watches: [] });
    await house.serve();
  }, 20_000);
  afterAll(() => house?.stop(), 20_000);

  it('takes an old grant until it ends, and not a moment longer', async () => {
    const exp = Math.floor(Date.now() / 1_000) + 2;
    const old = await house.grant({ policyEpoch: 1, exp });
    await house.raise(house.account, 2);
    expect(await ends(old)).toBe('ok');
    await pause(exp * 1_000 - Date.now() + 5);
    expect(await ends(old)).toBe('grant-expired');
  });
});
