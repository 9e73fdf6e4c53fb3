import { afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { SignJWT, type JWK } from 'jose';
import { z } from 'zod';
import type { PublicKeys } from '@skillgate/contracts/tokens';
import { refetchMs } from './issuer-keys.js';
import { makeSigner, makeVerifier, newSigningKey, type Signer } from './signing.js';

const schema = z.object({ iat: z.number(), exp: z.number() });
const seconds = () => Math.floor(Date.now() / 1000);
const grant = (more: object = {}) => ({ typ: 'grant', exp: seconds() + 60, ...more });

let key: JWK;
let signer: Signer;
beforeAll(async () => {
  key = await newSigningKey();
  signer = makeSigner(key, 'registry');
});
afterEach(() => void jest.restoreAllMocks());

function setUp(fetchKeys: () => Promise<PublicKeys> = async () => signer.publicKeys()) {
  const fetched = jest.fn(fetchKeys);
  return { fetched, verifier: makeVerifier({ issuer: 'registry', typ: 'grant', schema, fetchKeys: fetched }) };
}

const refusal = (slug: string, message: RegExp | string = '') =>
  expect.objectContaining({ kind: 'refusal', slug, message: expect.stringMatching(message) });

describe("an issuer's keys", () => {
  it('are asked for once by many callers at the same time', async () => {
    const { verifier, fetched } = setUp(() => new Promise((resolve) => setTimeout(resolve, 20, signer.publicKeys())));
    const tokens = await Promise.all(Array.from({ length: 20 }, (_, n) => signer.sign(grant({ n }))));
    await Promise.all(tokens.map((token) => verifier.verify(token)));
    expect(fetched).toHaveBeenCalledTimes(1);
  });

  it('are asked for again when a token names a new one', async () => {
    let keys = signer.publicKeys();
    const { verifier, fetched } = setUp(async () => keys);
    await verifier.verify(await signer.sign(grant()));
    const next = makeSigner(await newSigningKey(), 'registry');
    keys = { keys: [...keys.keys, ...next.publicKeys().keys] };
    jest.spyOn(Date, 'now').mockReturnValue(Date.now() + refetchMs);
    await expect(verifier.verify(await next.sign(grant()))).resolves.toBeDefined();
    expect(fetched).toHaveBeenCalledTimes(2);
  });

  it('are not asked for more often, however many forged key ids arrive', async () => {
    const { verifier, fetched } = setUp();
    await verifier.verify(await signer.sign(grant()));
    const forger = makeSigner(await newSigningKey(), 'registry');
    for (let n = 0; n < 50; n += 1) {
      await expect(verifier.verify(await forger.sign(grant({ n })))).rejects.toEqual(
        refusal('grant-invalid', /names a key that registry does not have/),
      );
    }
    expect(fetched).toHaveBeenCalledTimes(1);
  });

  it('are not asked for at all because of a key id that is no thumbprint', async () => {
    const { verifier, fetched } = setUp();
    const forged = await new SignJWT({ ...grant(), iss: 'registry', iat: seconds() })
      .setProtectedHeader({ alg: 'EdDSA', kid: 'main', typ: 'grant+jwt' })
      .sign(key);
    await expect(verifier.verify(forged)).rejects.toEqual(refusal('grant-invalid'));
    expect(fetched).not.toHaveBeenCalled();
  });

  it('that could not be fetched leave the error as it is, and are asked for again soon, not at once', async () => {
    const down = Object.assign(new Error('nobody answers'), { kind: 'unavailable', slug: 'no-responder' });
    let answer: () => Promise<PublicKeys> = () => Promise.reject(down);
    const { verifier, fetched } = setUp(() => answer());
    const token = await signer.sign(grant());
    await expect(verifier.verify(token)).rejects.toBe(down);
    await expect(verifier.verify(token)).rejects.toBe(down);
    expect(fetched).toHaveBeenCalledTimes(1);
    answer = async () => signer.publicKeys();
    jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 600);
    await expect(verifier.verify(token)).resolves.toBeDefined();
  });

  it('of another kind are a breach of the issuer', async () => {
    const { verifier } = setUp(async () => ({ keys: [{ kty: 'RSA', n: 'x', e: 'AQAB' }] }));
    await expect(verifier.verify(await signer.sign(grant()))).rejects.toMatchObject({ kind: 'breach', slug: 'key-set-unusable' });
  });

  it('get their ids from their bytes, not from the answer', async () => {
    const other = makeSigner(await newSigningKey(), 'registry');
    const kid = signer.publicKeys().keys[0]!.kid;
    const { verifier } = setUp(async () => ({ keys: [{ ...other.publicKeys().keys[0], kid }] }));
    await expect(verifier.verify(await signer.sign(grant()))).rejects.toEqual(refusal('grant-invalid', /does not have/));
  });
});
