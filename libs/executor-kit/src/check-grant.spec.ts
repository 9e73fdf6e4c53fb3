import { randomUUID } from 'node:crypto';
import { describe, expect, it, jest } from '@jest/globals';
import { argumentsHash } from '@skillgate/contracts/arguments-hash';
import { grantClaims } from '@skillgate/contracts/tokens';
import { makeSigner, makeVerifier, newSigningKey } from '@skillgate/service-kit/signing';
import { checkGrant } from './check-grant.js';

const signer = makeSigner(await newSigningKey(), 'registry');
const { verify } = makeVerifier({ issuer: 'registry', typ: 'grant', schema: grantClaims, fetchKeys: async () => signer.publicKeys() });

const inOneMinute = Math.floor(Date.now() / 1000) + 60;
const claims = {
  typ: 'grant',
  aud: 'docs',
  account: randomUUID(),
  user: randomUUID(),
  chat: randomUUID(),
  turn: randomUUID(),
  tools: { docs_try: 'memo@1.0.0#aa' },
  policyEpoch: 7,
  exp: inOneMinute,
};
const question = async (change: object = {}) => ({
  token: await signer.sign({ ...claims, ...change }),
  turn: claims.turn,
  executor: 'docs',
  tool: 'docs_try',
  callId: 'call-1',
  arguments: { to: 'ann' },
  newestEpoch: (account: string) => (account === claims.account ? 7 : 0),
});
const refusal = (slug: string) => expect.objectContaining({ kind: 'refusal', slug });

describe('a grant', () => {
  it('that fits opens the tool and gives the only facts about the caller', async () => {
    const seen = jest.fn();
    const found = await checkGrant(await question(), verify, seen);
    expect(found).toMatchObject({ account: claims.account, turn: claims.turn });
    expect(seen).toHaveBeenCalledWith(found);
  });

  it.each<[string, object, object, string]>([
    ['that is absent', {}, { token: undefined }, 'grant-missing'],
    ['that is empty', {}, { token: '' }, 'grant-missing'],
    ['that is no token', {}, { token: 'a.b.c' }, 'grant-invalid'],
    ['that has expired', { exp: 1_000 }, {}, 'grant-expired'],
    ['of another executor', { aud: 'slack' }, {}, 'grant-audience'],
    ['of another turn', { turn: randomUUID() }, {}, 'grant-turn'],
    ['without a turn header beside it', {}, { turn: undefined }, 'grant-turn'],
    ['that does not list the tool', { tools: { docs_other: 'memo@1.0.0#aa' } }, {}, 'grant-tool'],
    ['asked for a name that every object has', {}, { tool: 'constructor' }, 'grant-tool'],
    ['of an older policy than this executor has heard of', { policyEpoch: 6 }, {}, 'grant-outdated'],
    ['of an older policy and for another tool tells the tool first', { policyEpoch: 6 }, { tool: 'docs_other' }, 'grant-tool'],
    ['that is a ticket in disguise', { typ: 'ticket' }, {}, 'grant-invalid'],
    ['wrong in everything tells the audience first', { aud: 'slack', turn: randomUUID(), tools: {} }, {}, 'grant-audience'],
  ])('%s is refused', async (_what, change, asked, slug) => {
    await expect(checkGrant({ ...(await question(change)), ...asked }, verify, () => {})).rejects.toEqual(refusal(slug));
  });

  it.each([
    ['of the policy that was heard of', { policyEpoch: 7 }],
    ['of a newer policy than was heard of', { policyEpoch: 8 }],
    ['of an account that was not heard of', { policyEpoch: 0, account: randomUUID() }],
  ])('%s opens the tool', async (_what, change) => {
    expect(await checkGrant(await question(change), verify, () => {})).toMatchObject(change);
  });

  it('that is outdated names the epoch to ask for', async () => {
    await expect(checkGrant(await question({ policyEpoch: 1 }), verify, () => {})).rejects.toMatchObject({ details: { policyEpoch: 7 } });
  });

  it('that was altered is refused', async () => {
    const asked = await question();
    const [header, body, signature] = asked.token.split('.') as [string, string, string];
    const wider = { ...JSON.parse(Buffer.from(body, 'base64url').toString()), tools: { docs_try: 'x', docs_other: 'x' } };
    const token = [header, Buffer.from(JSON.stringify(wider)).toString('base64url'), signature].join('.');
    await expect(checkGrant({ ...asked, token }, verify, () => {})).rejects.toEqual(refusal('grant-invalid'));
  });

  it('signed by somebody else is refused', async () => {
    const stranger = makeSigner(await newSigningKey(), 'registry');
    const token = await stranger.sign(claims);
    await expect(checkGrant({ ...(await question()), token }, verify, () => {})).rejects.toEqual(refusal('grant-invalid'));
  });
});

describe('a grant for one approved call', () => {
  const call = { id: 'call-1', argumentsHash: argumentsHash({ to: 'ann' }) };

  it('opens that call, in whatever order its arguments come', async () => {
    const twice = { ...call, argumentsHash: argumentsHash({ b: 1, a: 2 }) };
    expect(await checkGrant(await question({ call }), verify, () => {})).toMatchObject({ call });
    expect(await checkGrant({ ...(await question({ call: twice })), arguments: { a: 2, b: 1 } }, verify, () => {})).toMatchObject({ call: twice });
  });

  it.each<[string, object]>([
    ['another call', { callId: 'call-2' }],
    ['a call without an id', { callId: undefined }],
    ['other arguments', { arguments: { to: 'bob' } }],
    ['one argument more', { arguments: { to: 'ann', cc: 'bob' } }],
  ])('does not open %s', async (_what, change) => {
    await expect(checkGrant({ ...(await question({ call })), ...change }, verify, () => {})).rejects.toEqual(refusal('grant-call'));
  });
});
