import { createHash, createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { exportJWK, generateKeyPair, type JWK } from 'jose';

/** The public half of an Ed25519 key (RFC 8037), nothing else of the JWK. */
export interface PublicJwk {
  readonly kty: 'OKP';
  readonly crv: 'Ed25519';
  /** 32 bytes, base64url. */
  readonly x: string;
}

/** A new private Ed25519 JWK; `JSON.stringify` of it is a value for `SKILLGATE_SIGNING_KEY`. */
export async function newSigningKey(): Promise<JWK> {
  const { privateKey } = await generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true });
  return exportJWK(privateKey);
}

/** SHA-256 thumbprint (RFC 7638): required members only, in lexicographic order, no white space. */
export const thumbprint = ({ crv, kty, x }: PublicJwk): string =>
  createHash('sha256').update(JSON.stringify({ crv, kty, x })).digest('base64url');

/** Takes the public members and leaves everything else, `d` above all; undefined for any other kind of key. */
export function publicHalf(jwk: Record<string, unknown> | null): PublicJwk | undefined {
  if (jwk?.kty !== 'OKP' || jwk.crv !== 'Ed25519' || typeof jwk.x !== 'string') return undefined;
  return { kty: 'OKP', crv: 'Ed25519', x: jwk.x };
}

/** Throws a TypeError that never quotes the key: what it says may stand in a log. */
export function readPrivateKey(jwk: JWK): { key: KeyObject; half: PublicJwk } {
  const half = publicHalf(jwk as Record<string, unknown>);
  if (!half || typeof jwk.d !== 'string') {
    throw new TypeError('a signing key is a private Ed25519 JWK with kty "OKP", crv "Ed25519", x and d');
  }
  let key: KeyObject;
  try {
    key = createPrivateKey({ key: { ...half, d: jwk.d }, format: 'jwk' });
  } catch {
    // Node's own message is dropped on purpose: nothing promises that it will never quote its input.
    throw new TypeError('the x or d of the signing key is not 32 base64url bytes');
  }
  // Node takes d and ignores a foreign x; verifiers would then hold a key that never matches.
  if (createPublicKey(key).export({ format: 'jwk' }).x !== half.x) {
    throw new TypeError('x and d of the signing key belong to different keys');
  }
  return { key, half };
}

/** `ticket` -> `ticket+jwt`: the header's type, so that one kind of token is never taken for another (RFC 8725, 3.11). */
export const headerType = (typ: string): string => `${typ}+jwt`;
