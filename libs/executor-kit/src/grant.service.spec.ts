// Nobody runs a tool by naming it: every call is decided at the executor, by its grant.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { makeSigner, newSigningKey } from '@skillgate/service-kit/signing';
import { type Ask, type LabHouse, startLab } from '../spec-support/lab-house.js';
import { reset, seen } from '../spec-support/lab.js';

let house: LabHouse;
beforeAll(async () => {
  house = await startLab();
  await house.serve();
}, 20_000);
afterAll(() => house?.stop(), 20_000);
beforeEach(reset);

describe('a call that names a tool directly', () => {
  it.each<[string, () => Promise<Ask>, string]>([
    ['without a grant', async () => ({ grant: '' }), 'grant-missing'],
    ['with something that is no grant', async () => ({ grant: 'not.a.grant' }), 'grant-invalid'],
    ['with a grant of another turn', async () => ({ grant: await house.grant({ turn: randomUUID() }) }), 'grant-turn'],
    [
      "with another account's grant",
      async () => ({ grant: await house.grant({ account: randomUUID(), turn: randomUUID() }) }),
      'grant-turn',
    ],
    ['with a grant for another executor', async () => ({ grant: await house.grant({ aud: 'other' }) }), 'grant-audience'],
    ['with an expired grant', async () => ({ grant: await house.grant({ exp: 1_700_000_000 }) }), 'grant-expired'],
    [
      'with a grant that lists other tools',
      async () => ({ grant: await house.grant({ tools: { lab_no: 'memo@1.0.0#aa' } }) }),
      'grant-tool',
    ],
    [
      'with a grant that somebody else signed',
      async () => ({ grant: await house.grant({}, makeSigner(await newSigningKey(), 'registry')) }),
      'grant-invalid',
    ],
  ])('%s is refused and does nothing', async (_how, ask, slug) => {
    expect(await house.failure('lab_count', await ask())).toMatchObject({ kind: 'refusal', slug });
    expect(seen.runs).toBe(0);
  });

  it('with a grant that was altered is refused and does nothing', async () => {
    const [header, body, signature] = (await house.grant()).split('.') as [string, string, string];
    const claims = JSON.parse(Buffer.from(body, 'base64url').toString()) as object;
    const forged = Buffer.from(JSON.stringify({ ...claims, account: randomUUID() })).toString('base64url');
    expect(await house.failure('lab_count', { grant: [header, forged, signature].join('.') })).toMatchObject({
      kind: 'refusal',
      slug: 'grant-invalid',
    });
    expect(seen.runs).toBe(0);
  });

  it('works for the account of the grant, whatever the caller may think', async () => {
    const account = randomUUID();
    const { content } = await house.call('lab_count', { grant: await house.grant({ account }) });
    expect(content).toMatchObject({ account, turn: house.turn });
  });

  it('of a tool that the executor does not have is refused with the names of those it has', async () => {
    const error = await house.failure('lab_rename', { grant: await house.grant({ tools: { lab_rename: 'memo@1.0.0#aa' } }) });
    expect(error).toMatchObject({ kind: 'refusal', slug: 'unknown-tool' });
    expect(error.message).toContain('lab_count');
  });

  it('without a call id breaks the contract', async () => {
    expect(await house.failure('lab_count', { callId: '' })).toMatchObject({ kind: 'breach', slug: 'call-id-missing' });
    expect(seen.runs).toBe(0);
  });
});

describe('arguments', () => {
  it('that do not fit are refused with the field and what it takes', async () => {
    const error = await house.failure('lab_count', { args: { by: 'two', extra: 1 } });
    expect(error).toMatchObject({ kind: 'refusal', slug: 'invalid-arguments' });
    expect(error.message).toContain('"by" must be a whole number');
    expect(seen.runs).toBe(0);
  });

  it('are looked at only after the grant', async () => {
    expect(await house.failure('lab_count', { args: { by: 'two' }, grant: '' })).toMatchObject({ slug: 'grant-missing' });
  });
});
