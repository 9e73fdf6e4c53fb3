// A tool's credential over the real wire: leased with the call's grant, and never to be seen where a tool lets it out.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { leaseCredential } from '@skillgate/contracts/calls/integrations';
import { refuse } from '@skillgate/contracts/refusal';
import { type LabHouse, pause, startLab } from '../spec-support/lab-house.js';

const [first, second] = ['access-token-of-the-account-1', 'access-token-of-the-account-2'];
let house: LabHouse;
const lines: string[] = [];
const told: string[] = [];
/** What accounts was asked, and by whom. */
let asked: { grant: string; integration: string; rejected?: string; caller?: string }[] = [];
let answer: () => object;

beforeAll(async () => {
  house = await startLab();
  const accounts = await house.nats.connect('accounts');
  await accounts.serve(leaseCredential, async (input, { caller }) => {
    asked.push({ ...input, caller });
    return { lease: 'id.1', kind: 'oauth2' as const, accessToken: input.rejected ? second : first, scopes: ['mail'], ...answer() };
  }).ready;
  await house.orchestrator.subscribeProgress((progress) => void told.push(JSON.stringify(progress))).ready;
  await house.serve({ write: (line) => void lines.push(line) });
}, 20_000);
afterAll(() => house?.stop(), 20_000);
beforeEach(() => {
  asked = [];
  answer = () => ({});
});

const mark = '[credential of gmail]';

describe('a credential that a tool asks for', () => {
  it('is leased once for the call, with its grant, under the name of the executor', async () => {
    const grant = await house.grant({ jti: randomUUID() });
    const { content } = await house.call('lab_leak', { args: { how: 'result' }, grant });
    expect(asked).toEqual([{ grant, integration: 'gmail', caller: 'lab' }]);
    expect(content).toEqual({ mail: mark, accessToken: mark, same: true });
    await house.call('lab_leak', { args: { how: 'result' } });
    expect(asked).toHaveLength(2); // the next call leases its own
  });

  it('is leased anew when it is about to end, and when the outside system has refused it', async () => {
    answer = () => ({ expiresAt: Date.now() + 5_000 });
    await house.call('lab_leak', { args: { how: 'result' } });
    expect(asked).toHaveLength(2);
    answer = () => ({ expiresAt: Date.now() + 60_000 });
    asked = [];
    await house.call('lab_leak', { args: { how: 'rejected' } });
    expect(asked.map(({ rejected }) => rejected)).toEqual([undefined, 'id.1']);
  });

  it('that cannot be leased is the refusal that tells how to connect', async () => {
    answer = () => {
      throw refuse('integration-expired', 'Gmail must be connected again.', { reconnect: 'POST /x' });
    };
    const error = await house.failure('lab_leak', { args: { how: 'result' } });
    expect(error).toMatchObject({ kind: 'refusal', slug: 'integration-expired', details: { reconnect: 'POST /x' } });
  });
});

describe('a credential that a tool lets out', () => {
  it('is taken out of a refusal, its details, and a defect', async () => {
    const denied = await house.failure('lab_leak', { args: { how: 'refusal' } });
    expect(denied).toMatchObject({ slug: 'lab-denied', message: `Denied for ${mark}.`, details: { sent: mark } });
    expect(await house.failure('lab_leak', { args: { how: 'break' } })).toMatchObject({ kind: 'defect' });
  });

  it('is in no log line, no span and no progress message', async () => {
    for (const how of ['result', 'refusal', 'break', 'rejected']) await house.call('lab_leak', { args: { how } }).catch(() => undefined);
    await house.otlp.until((spans) => spans.filter(({ name }) => name.startsWith('execute_tool')).length >= 4);
    await pause(100);
    const places = { log: lines.join(''), spans: JSON.stringify(house.otlp.spans()), progress: told.join() };
    expect(places.log).toContain(`sent ${mark} and ${mark}`);
    expect(places.progress).toContain(`signed in with ${mark}`);
    for (const [place, text] of Object.entries(places)) {
      for (const secret of [first, second]) expect([place, text.includes(secret)]).toEqual([place, false]);
    }
  });
});
