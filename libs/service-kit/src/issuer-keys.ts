import { importJWK, type CryptoKey } from 'jose';
import { breach } from '@skillgate/contracts/refusal';
import type { PublicKeys } from '@skillgate/contracts/tokens';
import { publicHalf, thumbprint } from './signing-key.js';

/** Milliseconds between two questions for keys, whatever callers send: a forged key id must not hammer the issuer. */
export const refetchMs = 5_000;
/** After a question that failed the next one may come sooner, or an issuer that starts late would be missed for long. */
const retryMs = 500;

const thumbprintShape = /^[\w-]{43}$/; // 32 bytes in base64url

/**
 * The public keys of one issuer, fetched at the first need and again when a key id is new, one question at a time.
 * The answer is undefined for a key that the issuer does not have; an error of `fetchKeys` is passed on.
 */
export function makeIssuerKeys(issuer: string, fetchKeys: () => Promise<PublicKeys>): (kid: unknown) => Promise<CryptoKey | undefined> {
  let keys: Map<string, CryptoKey> | undefined;
  let asking: Promise<Map<string, CryptoKey>> | undefined;
  let notBefore = 0;
  let lastError: unknown;

  async function ask(): Promise<Map<string, CryptoKey>> {
    try {
      keys = await readKeys(issuer, await fetchKeys());
      notBefore = Date.now() + refetchMs;
      return keys;
    } catch (error) {
      lastError = error;
      notBefore = Date.now() + retryMs;
      throw error;
    } finally {
      asking = undefined;
    }
  }

  return async (kid) => {
    if (typeof kid !== 'string' || !thumbprintShape.test(kid)) return undefined;
    const known = keys?.get(kid);
    if (known) return known;
    if (!asking && Date.now() < notBefore) {
      if (keys) return undefined;
      throw lastError;
    }
    asking ??= ask();
    return (await asking).get(kid);
  };
}

async function readKeys(issuer: string, set: PublicKeys): Promise<Map<string, CryptoKey>> {
  const halves = set.keys.map(publicHalf).filter((half) => half !== undefined);
  if (halves.length === 0) throw breach('key-set-unusable', `${issuer} answered ${set.keys.length} keys and none is a public Ed25519 JWK`);
  // The id is computed here: what an answer calls its keys does not matter.
  const entries = halves.map(async (half) => [thumbprint(half), (await importJWK({ ...half }, 'EdDSA')) as CryptoKey] as const);
  return new Map(await Promise.all(entries));
}
