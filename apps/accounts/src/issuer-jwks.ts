import { unavailable } from '@skillgate/contracts/refusal';
import { createLocalJWKSet, createRemoteJWKSet, errors, jwksCache, type ExportedJWKSCache, type JWTVerifyGetKey } from 'jose';
import { z } from 'zod';
import type { TokenIssuer } from './token-issuers.js';

const fetchMs = 3_000;

/** Milliseconds. */
export interface KeyTimes {
  /** Until keys are read again; a new key id is looked up at once. */
  readonly fresh: number;
  /** Between two lookups for key ids that are not there: tokens with made-up ones shall not become load. */
  readonly cooldown: number;
  /** That keys of an issuer that cannot be reached are still believed. */
  readonly believed: number;
}

const usual: KeyTimes = { fresh: 10 * 60_000, cooldown: 5_000, believed: 24 * 3_600_000 };

const discovered = z.object({ issuer: z.string(), jwks_uri: z.url() });

/**
 * The public keys of one issuer. While it cannot be reached the keys that were read last go on; without any the answer is
 * `unavailable` and no verdict.
 */
export function makeIssuerJwks({ issuer, jwksUri }: Pick<TokenIssuer, 'issuer' | 'jwksUri'>, times = usual): JWTVerifyGetKey {
  const read: Partial<ExportedJWKSCache> = {};
  let remote: Promise<JWTVerifyGetKey> | undefined;
  let failure: { at: number; error: unknown } | undefined;

  const open = async (): Promise<JWTVerifyGetKey> => {
    const uri = new URL(jwksUri ?? (await discover(issuer)));
    const cache = read as ExportedJWKSCache; // filled by the library
    const waits = { timeoutDuration: fetchMs, cacheMaxAge: times.fresh, cooldownDuration: times.cooldown };
    return createRemoteJWKSet(uri, { ...waits, [jwksCache]: cache });
  };

  /** By the keys that were read last. A key that is not among them may be a new one that nobody can tell us of now. */
  const byKnown: JWTVerifyGetKey = async (header, token) => {
    const { jwks, uat = 0 } = read;
    const nobodyKnows = outOfReach(issuer, failure?.error);
    if (!jwks || Date.now() - uat > times.believed) throw nobodyKnows;
    return createLocalJWKSet(jwks)(header, token).catch((error: unknown) => {
      throw error instanceof errors.JWKSNoMatchingKey ? nobodyKnows : error;
    });
  };

  return async (header, token) => {
    // One that answers late would hold up every token; so it is asked again only after a while.
    if (failure && read.jwks && Date.now() - failure.at < times.cooldown) return byKnown(header, token);
    try {
      remote ??= open();
      const key = await (await remote)(header, token);
      failure = undefined;
      return key;
    } catch (error) {
      if (error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWKSMultipleMatchingKeys) throw error;
      if (!read.jwks) remote = undefined; // the next token tries the discovery again
      failure = { at: Date.now(), error };
      return byKnown(header, token);
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

function outOfReach(issuer: string, cause: unknown): Error {
  const message = `The keys of ${issuer} cannot be read, so its tokens cannot be checked. Try again.`;
  return Object.assign(unavailable('issuer-unavailable', message, 2_000), { cause });
}
