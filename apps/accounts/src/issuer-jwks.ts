import { unavailable } from '@skillgate/contracts/refusal';
import { createLocalJWKSet, createRemoteJWKSet, errors, type JWTVerifyGetKey } from 'jose';
import { z } from 'zod';
import type { TokenIssuer } from './token-issuers.js';

const fetchMs = 3_000;
/** Milliseconds until keys are read again; a new key id is looked up at once. */
const freshMs = 10 * 60_000;
/** Milliseconds between two lookups for key ids that are not there: tokens with made-up ones shall not become load. */
const cooldownMs = 5_000;
/** Milliseconds that keys of an issuer that cannot be reached are still believed. */
const believedMs = 24 * 3_600_000;

const discovered = z.object({ issuer: z.string(), jwks_uri: z.url() });

/**
 * The public keys of one issuer. While it cannot be reached the keys that were read last go on; without any the answer is
 * `unavailable` and no verdict.
 */
export function makeIssuerJwks({ issuer, jwksUri }: Pick<TokenIssuer, 'issuer' | 'jwksUri'>): JWTVerifyGetKey {
  let remote: Promise<ReturnType<typeof createRemoteJWKSet>> | undefined;
  let readAt = 0;

  const open = async () => {
    const uri = jwksUri ?? (await discover(issuer));
    return createRemoteJWKSet(new URL(uri), { timeoutDuration: fetchMs, cacheMaxAge: freshMs, cooldownDuration: cooldownMs });
  };

  return async (header, token) => {
    remote ??= open();
    const keys = await remote.catch((error: unknown) => {
      remote = undefined; // the next token tries again
      throw outOfReach(issuer, error);
    });
    try {
      const key = await keys(header, token);
      if (keys.fresh) readAt = Date.now();
      return key;
    } catch (error) {
      if (error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWKSMultipleMatchingKeys) throw error;
      const known = keys.jwks();
      if (!known || Date.now() - readAt > believedMs) throw outOfReach(issuer, error);
      return await createLocalJWKSet(known)(header, token).catch((none: unknown) => {
        // The key may be a new one that nobody can tell us of now: no verdict.
        throw none instanceof errors.JWKSNoMatchingKey ? outOfReach(issuer, error) : none;
      });
    }
  };
}

async function discover(issuer: string): Promise<string> {
  const address = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  const response = await fetch(address, { signal: AbortSignal.timeout(fetchMs), redirect: 'error' });
  if (!response.ok) throw new Error(`${address} answered ${response.status}`);
  const document = discovered.parse(await response.json());
  // OpenID Connect Discovery 1.0, 4.3: otherwise somebody else's keys would prove this issuer's tokens.
  if (document.issuer !== issuer) throw new Error(`${address} is the document of another issuer`);
  return document.jwks_uri;
}

const outOfReach = (issuer: string, cause: unknown) =>
  Object.assign(unavailable('issuer-unavailable', `The keys of ${issuer} cannot be read now, so its tokens cannot be checked. Try again.`, 2_000), {
    cause,
  });
