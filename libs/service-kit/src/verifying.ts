import { createHash } from 'node:crypto';
import { errors, jwtVerify } from 'jose';
import { LRUCache } from 'lru-cache';
import type { z } from 'zod';
import { refuse } from '@skillgate/contracts/refusal';
import type { PublicKeys } from '@skillgate/contracts/tokens';
import { makeIssuerKeys } from './issuer-keys.js';
import { headerType } from './signing-key.js';

/**
 * Seconds that a signer's clock may be ahead of ours. It excuses a future `iat` only; `exp` is taken as it stands,
 * since a grant promises to be dead after its time.
 */
export const clockToleranceSeconds = 5;

/** Verified tokens that are remembered; a turn uses a handful. */
const remembered = 2_000;

interface Timed {
  readonly iat: number;
  readonly exp: number;
}

export interface VerifierOptions<S extends z.ZodType<Timed>> {
  /** The one service that may have signed: `gateway`. */
  readonly issuer: string;
  /** `ticket`, `receipt` or `grant`: names the refusals too. */
  readonly typ: string;
  readonly schema: S;
  /** Usually the issuer's `public-keys` call. */
  readonly fetchKeys: () => Promise<PublicKeys>;
}

export interface Verifier<C> {
  /**
   * The claims, deeply frozen because they are shared by all who show the same token. Refusals: `<typ>-invalid` and
   * `<typ>-expired`. Errors of `fetchKeys` come through as they are, mostly `unavailable`: no verdict was reached.
   */
  verify(token: string): Promise<C>;
}

/** Checks signature, issuer, type, times and shape, in this order, and remembers what passed until it expires. */
export function makeVerifier<S extends z.ZodType<Timed>>(options: VerifierOptions<S>): Verifier<z.output<S>> {
  const { issuer, typ, schema } = options;
  const keyOf = makeIssuerKeys(issuer, options.fetchKeys);
  const passed = new LRUCache<string, z.output<S> & Timed>({ max: remembered });
  const invalid = (why: string) => refuse(`${typ}-invalid`, `This ${typ} is not valid: ${why}. Ask ${issuer} for a new one.`);
  const expired = () => refuse(`${typ}-expired`, `This ${typ} has expired. Ask ${issuer} for a new one and repeat the call.`);

  async function check(token: string): Promise<z.output<S>> {
    const { payload } = await jwtVerify(
      token,
      async ({ kid }) => {
        const key = await keyOf(kid);
        if (!key) throw invalid(`it names a key that ${issuer} does not have`);
        return key;
      },
      // The algorithm is pinned here and never read from the token.
      { algorithms: ['EdDSA'], issuer, typ: headerType(typ), requiredClaims: ['exp', 'iat'], currentDate: new Date(Date.now()) },
    );
    if (payload.typ !== typ) throw invalid(`its claims say ${JSON.stringify(payload.typ) ?? 'no type'}`);
    if (payload.iat! > Date.now() / 1000 + clockToleranceSeconds)
      throw invalid('it was issued in the future; compare the clocks of both hosts');
    const claims = schema.safeParse(payload);
    if (!claims.success) throw invalid(`its claims do not fit (${claims.error.issues.map(({ path }) => path.join('.')).join(', ')})`);
    return freeze(claims.data);
  }

  return {
    verify: async (token) => {
      const id = createHash('sha256').update(token).digest('base64url');
      const known = passed.get(id);
      if (known) {
        if (known.exp <= Date.now() / 1000) throw expired();
        return known;
      }
      try {
        const claims = await check(token);
        passed.set(id, claims);
        return claims;
      } catch (error) {
        if (error instanceof errors.JWTExpired) throw expired();
        if (error instanceof errors.JOSEError) throw invalid(reasons[error.code] ?? 'it does not read as a signed token');
        throw error;
      }
    },
  };
}

/** Of a token that names one receiver. Refuses with `<typ>-audience` when that is somebody else. */
export function requireAudience(claims: { readonly typ: string; readonly aud: string }, self: string): void {
  if (claims.aud === self) return;
  throw refuse(`${claims.typ}-audience`, `This ${claims.typ} is for ${claims.aud}, not for ${self}. Ask for one that names ${self}.`);
}

/** Our words for jose's codes: its own messages are not ours to promise. */
const reasons: Record<string, string> = {
  ERR_JOSE_ALG_NOT_ALLOWED: 'it is not signed with EdDSA',
  ERR_JWS_SIGNATURE_VERIFICATION_FAILED: 'its signature does not match its content',
  ERR_JWT_CLAIM_VALIDATION_FAILED: 'it is of another kind or from another issuer',
};

function freeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  Object.values(value).forEach(freeze);
  return Object.freeze(value);
}
