// Credentials under a new key, while two replicas go on leasing them.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import * as calls from '@skillgate/contracts/calls/integrations';
import { newKey, startIntegrationsWorld, type IntegrationsWorld, type Who } from './integrations-world.fixture.js';

let world: IntegrationsWorld;
beforeAll(async () => {
  world = await startIntegrationsWorld({ replicas: 2 });
}, 60_000);
afterAll(() => world?.stop(), 20_000);

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describe('rotation of the keys', () => {
  it('encrypts every credential anew while leases go on, and then the old key may go', async () => {
    const others = await Promise.all(
      Array.from({ length: 12 }, async () => {
        const who = await world.newAccount();
        await world.connect(who);
        return who;
      }),
    );
    const [who] = others as [Who];
    const fresh = newKey('second');
    const both = { SKILLGATE_CREDENTIAL_KEYS: JSON.stringify([fresh, ...world.keys]) };
    const rotating = await startRotated(both);
    const total = Number(((await world.admin.query('SELECT count(*) AS n FROM credentials')) as { n: string }[])[0]!.n);

    let leases = 0;
    let on = true;
    const failures: unknown[] = [];
    const busy = Promise.all(
      others.slice(0, 4).map(async (each) => {
        while (on) {
          await world.lease(each).then(
            () => (leases += 1),
            (error) => failures.push(error),
          );
        }
      }),
    );
    let rotated = 0;
    let calling = 0;
    let after: string | undefined;
    const authority = await world.ticket({ account: randomUUID(), user: randomUUID() }, ['operator']);
    do {
      const done = await world.gateway.call(calls.rotateCredentials, { authority, after, most: 5 });
      expect(done).toMatchObject({ key: 'second', failed: [] });
      rotated += done.rotated;
      calling += 1;
      after = done.next;
      if (!after) expect(done.left).toBe(0);
    } while (after);
    await pause(100);
    on = false;
    await busy;
    expect(failures).toEqual([]);
    expect(leases).toBeGreaterThan(4);
    expect(rotated).toBe(total);
    expect(calling).toBeGreaterThan(2);
    const left = await world.admin.query('SELECT DISTINCT key_id FROM credentials');
    expect(left).toEqual([{ key_id: 'second' }]);

    await rotating.replace({ SKILLGATE_CREDENTIAL_KEYS: JSON.stringify([fresh]) });
    expect(await world.provider.accepts((await world.lease(who)).accessToken!)).toBe(true);
    const again = await world.gateway.call(calls.rotateCredentials, { authority });
    expect(again).toEqual({ key: 'second', rotated: 0, failed: [], left: 0 });
    await rotating.replace({});
  }, 60_000);

  it('names what it cannot open, goes on with the rest, and leaves it as it is', async () => {
    const [good, bad] = [await world.newAccount(), await world.newAccount()];
    await Promise.all([world.connect(good), world.connect(bad)]);
    await world.admin.query(`UPDATE credentials SET box = set_byte(box, 20, get_byte(box, 20) # 1) WHERE account = $1`, [bad.account]);
    const rotating = await startRotated({ SKILLGATE_CREDENTIAL_KEYS: JSON.stringify([newKey('third'), newKey('second'), ...world.keys]) });
    const authority = await world.ticket(good, ['operator']);
    const done = await world.gateway.call(calls.rotateCredentials, { authority, most: 500 });
    expect(done.failed.map(({ account, integration }) => [account, integration])).toContainEqual([bad.account, 'gmail']);
    expect(done.left).toBe(done.failed.length);
    await expect(world.lease(good)).resolves.toMatchObject({ kind: 'oauth2' });
    await rotating.replace({});
  }, 60_000);

  it('is for operators', async () => {
    const authority = await world.ticket(await world.newAccount(), ['admin']);
    await expect(world.gateway.call(calls.rotateCredentials, { authority })).rejects.toMatchObject({ slug: 'not-allowed' });
  });
});

/** Replicas with other keys in the place of those that run. */
async function startRotated(env: NodeJS.ProcessEnv) {
  const replace = async (other: NodeJS.ProcessEnv) => {
    const before = world.running();
    await Promise.all([world.boot(other), world.boot(other)]);
    await Promise.all(before.map((service) => service.stop(5_000)));
  };
  await replace(env);
  return { replace };
}
