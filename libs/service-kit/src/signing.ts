import { randomUUID } from 'node:crypto';
import { SignJWT, type JWK } from 'jose';
import type { PublicKeys } from '@skillgate/contracts/tokens';
import { headerType, readPrivateKey, thumbprint } from './signing-key.js';

export { newSigningKey } from './signing-key.js';
export { makeVerifier, requireAudience, type Verifier, type VerifierOptions } from './verifying.js';

export interface Signer {
  readonly issuer: string;
  /**
   * A compact JWS (EdDSA). `claims` needs `typ` and `exp` (seconds since the epoch); `iss` is always the signer's own,
   * `iat` and `jti` are filled in where absent. Throws a TypeError for claims without `typ` or `exp`.
   */
  sign(claims: object): Promise<string>;
  /** The public half alone, as the `public-keys` calls answer it. */
  publicKeys(): PublicKeys;
}

/**
 * `jwk` is a private Ed25519 JWK; its key id is the RFC 7638 thumbprint, whatever `kid` says.
 * Throws a TypeError that does not quote the key.
 */
export function makeSigner(jwk: JWK, issuer: string): Signer {
  const { key, half } = readPrivateKey(jwk);
  const kid = thumbprint(half);
  return {
    issuer,
    sign: async (claims) => {
      const { typ, exp, iat, jti, ...rest } = claims as { typ?: unknown; exp?: unknown; iat?: number; jti?: string };
      if (typeof typ !== 'string') throw new TypeError('claims need a typ: "ticket", "receipt" or "grant"');
      if (!Number.isInteger(exp)) throw new TypeError(`a ${typ} needs exp, in whole seconds since the epoch`);
      const stamp = { iat: iat ?? Math.floor(Date.now() / 1000), exp: exp as number, jti: jti ?? randomUUID() };
      const issued = { ...rest, ...stamp, iss: issuer, typ };
      return new SignJWT(issued).setProtectedHeader({ alg: 'EdDSA', kid, typ: headerType(typ) }).sign(key);
    },
    publicKeys: () => ({ keys: [{ ...half, kid, alg: 'EdDSA', use: 'sig' }] }),
  };
}
