import { createHmac, createPrivateKey, sign as signBytes } from 'node:crypto';
import { afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { calculateJwkThumbprint, decodeProtectedHeader, generateKeyPair, SignJWT, type JWK } from 'jose';
import { z } from 'zod';
import type { PublicKeys } from '@skillgate/contracts/tokens';
import { makeSigner, makeVerifier, newSigningKey, requireAudience, type Signer } from './signing.js';

const schema = z.object({
  iss: z.literal('registry'),
  typ: z.literal('grant'),
  aud: z.string(),
  tools: z.array(z.string()),
  iat: z.number(),
  exp: z.number(),
  jti: z.string(),
});
const seconds = () => Math.floor(Date.now() / 1000);
const grant = (more: object = {}) => ({ typ: 'grant', aud: 'docs', tools: ['docs_read_text'], exp: seconds() + 60, ...more });
const b64 = (value: unknown) => Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');

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

describe('a signer', () => {
  it('names its key by the RFC 7638 thumbprint, whatever kid the JWK carries', async () => {
    const named = makeSigner({ ...key, kid: 'my-key' }, 'registry');
    const kid = await calculateJwkThumbprint(key);
    expect(decodeProtectedHeader(await named.sign(grant()))).toEqual({ alg: 'EdDSA', typ: 'grant+jwt', kid });
    expect(named.publicKeys().keys.map((each) => each.kid)).toEqual([kid]);
  });

  it('publishes no private member', () => {
    expect(signer.publicKeys().keys[0]).not.toHaveProperty('d');
    expect(JSON.stringify(signer.publicKeys())).not.toContain(key.d);
  });

  it('puts its own name over a claimed issuer', async () => {
    const { verifier } = setUp();
    await expect(verifier.verify(await signer.sign(grant({ iss: 'gateway' })))).resolves.toMatchObject({ iss: 'registry' });
  });

  it.each([
    [{ exp: 1 }, 'need a typ'],
    [{ typ: 'grant' }, 'needs exp'],
    [{ typ: 'grant', exp: 1.5 }, 'whole seconds'],
  ])('throws for the claims %j', async (claims, message) => {
    await expect(signer.sign(claims)).rejects.toThrow(message);
  });

  it('refuses a broken key without quoting it', async () => {
    const foreign = await newSigningKey();
    expect(() => makeSigner({ kty: 'RSA', n: 'x', e: 'AQAB' }, 'registry')).toThrow('private Ed25519 JWK');
    expect(() => makeSigner({ ...key, d: undefined }, 'registry')).toThrow('private Ed25519 JWK');
    expect(() => makeSigner({ ...key, d: 'c2hvcnQ' }, 'registry')).toThrow('not 32 base64url bytes');
    expect(() => makeSigner({ ...key, x: foreign.x }, 'registry')).toThrow(/^(?!.*[\w-]{43}).*different keys/);
  });
});

describe('a verifier', () => {
  it('returns the claims of a good token', async () => {
    const { verifier } = setUp();
    await expect(verifier.verify(await signer.sign(grant({ jti: 'g1' })))).resolves.toMatchObject({
      iss: 'registry',
      aud: 'docs',
      jti: 'g1',
    });
  });

  it('refuses a payload that was altered after signing', async () => {
    const { verifier } = setUp();
    const [head, body, signature] = (await signer.sign(grant())).split('.') as [string, string, string];
    const more = { ...JSON.parse(Buffer.from(body, 'base64url').toString()), tools: ['docs_read_text', 'docs_delete'] };
    await expect(verifier.verify(`${head}.${b64(more)}.${signature}`)).rejects.toEqual(
      refusal('grant-invalid', /signature does not match/),
    );
  });

  it('refuses a token whose exp has come, on the second', async () => {
    const { verifier } = setUp();
    await expect(verifier.verify(await signer.sign(grant({ exp: seconds() })))).rejects.toEqual(refusal('grant-expired', /has expired/));
  });

  it('lets a remembered token expire too', async () => {
    const { verifier } = setUp();
    const token = await signer.sign(grant({ exp: seconds() + 60 }));
    await verifier.verify(token);
    jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 61_000);
    await expect(verifier.verify(token)).rejects.toEqual(refusal('grant-expired'));
  });

  it('allows an iat five seconds ahead and no more', async () => {
    const { verifier } = setUp();
    const now = seconds() * 1000;
    jest.spyOn(Date, 'now').mockReturnValue(now);
    await expect(verifier.verify(await signer.sign(grant({ iat: now / 1000 + 5 })))).resolves.toBeDefined();
    await expect(verifier.verify(await signer.sign(grant({ iat: now / 1000 + 6 })))).rejects.toEqual(
      refusal('grant-invalid', /issued in the future/),
    );
  });

  it('refuses a token of another issuer, though the key is right', async () => {
    const { verifier } = setUp();
    await expect(verifier.verify(await makeSigner(key, 'catalog').sign(grant()))).rejects.toEqual(
      refusal('grant-invalid', /another issuer/),
    );
  });

  it('refuses a ticket where a grant is due, in the header and in the claims', async () => {
    const { verifier } = setUp();
    await expect(verifier.verify(await signer.sign(grant({ typ: 'ticket' })))).rejects.toEqual(refusal('grant-invalid', /another kind/));
    const kid = signer.publicKeys().keys[0]!.kid as string;
    const disguised = await new SignJWT({ ...grant({ typ: 'ticket' }), iss: 'registry', iat: seconds() })
      .setProtectedHeader({ alg: 'EdDSA', kid, typ: 'grant+jwt' })
      .sign(key);
    await expect(verifier.verify(disguised)).rejects.toEqual(refusal('grant-invalid', /claims say "ticket"/));
  });

  it('refuses claims that do not fit the schema, and names them without their values', async () => {
    const { verifier } = setUp();
    await expect(verifier.verify(await signer.sign(grant({ tools: 'canary' })))).rejects.toEqual(refusal('grant-invalid', /\(tools\)/));
    await expect(verifier.verify(await signer.sign(grant({ tools: 'canary' })))).rejects.not.toEqual(refusal('grant-invalid', /canary/));
  });

  it.each(['', 'x', 'a.b', 'a.b.c', '....'])('refuses %j as no token at all', async (text) => {
    const { verifier, fetched } = setUp();
    await expect(verifier.verify(text)).rejects.toEqual(refusal('grant-invalid'));
    expect(fetched).not.toHaveBeenCalled();
  });

  it('is not confused by another algorithm: none, HMAC keyed with the public key, RSA, ECDSA', async () => {
    const { verifier, fetched } = setUp();
    const kid = signer.publicKeys().keys[0]!.kid as string;
    const claims = b64({ ...grant(), iss: 'registry', iat: seconds(), jti: 'j' });
    const head = (alg: string) => b64({ alg, kid, typ: 'grant+jwt' });
    const hmac = createHmac('sha256', Buffer.from(key.x!, 'base64url'))
      .update(`${head('HS256')}.${claims}`)
      .digest('base64url');
    const p256 = (await generateKeyPair('ES256', { extractable: true })).privateKey;
    const es256 = await new SignJWT({ ...grant(), iss: 'registry', iat: seconds() })
      .setProtectedHeader({ alg: 'ES256', kid, typ: 'grant+jwt' })
      .sign(p256);
    for (const forged of [`${head('none')}.${claims}.`, `${head('HS256')}.${claims}.${hmac}`, `${head('RS256')}.${claims}.AAAA`, es256]) {
      await expect(verifier.verify(forged)).rejects.toEqual(refusal('grant-invalid'));
    }
    expect(fetched).not.toHaveBeenCalled();
  });

  it('ignores a key that the token brings along', async () => {
    const { verifier } = setUp();
    const own = await newSigningKey();
    const header = { alg: 'EdDSA', kid: signer.publicKeys().keys[0]!.kid, typ: 'grant+jwt', jwk: { kty: 'OKP', crv: 'Ed25519', x: own.x } };
    const signed = `${b64(header)}.${b64({ ...grant(), iss: 'registry', iat: seconds(), jti: 'j' })}`;
    const signature = signBytes(null, Buffer.from(signed), createPrivateKey({ key: own as never, format: 'jwk' })).toString('base64url');
    await expect(verifier.verify(`${signed}.${signature}`)).rejects.toEqual(refusal('grant-invalid', /signature does not match/));
  });

  it('hands out frozen claims, so that no reader widens them for the next', async () => {
    const { verifier } = setUp();
    const claims = await verifier.verify(await signer.sign(grant()));
    expect(() => claims.tools.push('docs_delete')).toThrow(TypeError);
  });

  it('checks the signature of a token once while it lives', async () => {
    const { verifier } = setUp();
    const token = await signer.sign(grant());
    expect(await verifier.verify(token)).toBe(await verifier.verify(token));
  });
});

describe('requireAudience', () => {
  it('refuses a grant for another executor with its own slug', () => {
    expect(() => requireAudience({ typ: 'grant', aud: 'docs' }, 'docs')).not.toThrow();
    expect(() => requireAudience({ typ: 'grant', aud: 'docs' }, 'slack')).toThrow(
      refusal('grant-audience', /for docs, not for slack/) as unknown as Error,
    );
  });
});
