import { role, type Role } from '@skillgate/contracts/entitlements';
import { refuse } from '@skillgate/contracts/refusal';
import { accountId } from '@skillgate/contracts/words';
import { decodeJwt, errors, jwtVerify, type JWTPayload, type JWTVerifyGetKey } from 'jose';
import { makeIssuerJwks } from './issuer-jwks.js';
import type { TokenIssuer } from './token-issuers.js';

/** What a token says, once it was proved. */
export interface VerifiedToken {
  readonly issuer: string;
  readonly subject: string;
  readonly account: string;
  /** What the user may do by this token at the most; absent where the issuer says nothing about it. */
  readonly roles?: readonly Role[];
  /** What people call the subject, for a new user. */
  readonly name: string;
  /** Seconds since the epoch. */
  readonly expiresAt: number;
  readonly provision: boolean;
}

/** Hears why a token was refused, for operators. Never the token. */
export type Refused = (why: { issuer?: string; check: string }) => void;

/**
 * Checks tokens of the configured issuers: signature under an allowed algorithm by a key that the issuer publishes, issuer,
 * audience, times, account. Refuses `token-expired`, and `token-invalid` for everything else, in one shape: who guesses shall
 * not learn which check failed. Unavailable `issuer-unavailable` while there are no keys to check with.
 */
export function makeTokenVerifier(issuers: readonly TokenIssuer[], refused: Refused): (token: string) => Promise<VerifiedToken> {
  const known = new Map(issuers.map((issuer) => [issuer.issuer, { issuer, keys: makeIssuerJwks(issuer) }]));

  return async (token) => {
    const issuerName = unprovedIssuer(token);
    const found = issuerName === undefined ? undefined : known.get(issuerName);
    const refuseFor = (check: string): never => {
      // An unknown issuer is whatever somebody wrote; it stays out of the log.
      refused({ ...(found && { issuer: found.issuer.issuer }), check });
      throw invalid();
    };
    if (!found) return refuseFor(issuerName === undefined ? 'no JWT with an issuer' : 'unknown issuer');
    const payload = await prove(token, found.issuer, found.keys, refuseFor);
    return readClaims(payload, found.issuer, refuseFor);
  };
}

async function prove(token: string, issuer: TokenIssuer, keys: JWTVerifyGetKey, refuseFor: (check: string) => never): Promise<JWTPayload> {
  const { algorithms, audience, clockSkewSeconds: clockTolerance } = issuer;
  try {
    const { payload } = await jwtVerify(token, keys, {
      // From the configuration and never from the token: neither `none` nor a public key used as an HMAC secret gets through.
      ...{ algorithms, audience, clockTolerance, issuer: issuer.issuer, requiredClaims: ['exp', 'iat', 'sub'] },
    });
    if (payload.iat! > Date.now() / 1000 + clockTolerance) return refuseFor('issued in the future');
    return payload;
  } catch (error) {
    if (error instanceof errors.JWTExpired) {
      throw refuse('token-expired', 'This token has expired. Get a new one from its issuer and repeat the request.');
    }
    if (error instanceof errors.JWTClaimValidationFailed) return refuseFor(`claim ${error.claim}: ${error.reason}`);
    if (error instanceof errors.JOSEError) return refuseFor(error.code);
    throw error;
  }
}

function readClaims(payload: JWTPayload, issuer: TokenIssuer, refuseFor: (check: string) => never): VerifiedToken {
  const account = accountId.safeParse(payload[issuer.accountClaim]);
  if (!account.success) return refuseFor(`claim ${issuer.accountClaim}: no account id`);
  const foreign = issuer.accounts && !issuer.accounts.includes(account.data);
  if (foreign) return refuseFor(`claim ${issuer.accountClaim}: not an account of this issuer`);
  const subject = payload.sub!;
  if (subject.length === 0 || subject.length > 255) return refuseFor('claim sub: 1 to 255 characters');
  return {
    ...{ issuer: issuer.issuer, subject, account: account.data, provision: issuer.provision },
    ...(issuer.rolesClaim && { roles: rolesOf(payload[issuer.rolesClaim]) }),
    name: nameOf(payload, subject),
    expiresAt: Math.floor(payload.exp!),
  };
}

/** Names that are no roles here are other applications' business. Nothing said is the least. */
function rolesOf(claimed: unknown): Role[] {
  if (claimed === undefined) return ['user'];
  const names = Array.isArray(claimed) ? claimed : [claimed];
  return names.flatMap((name) => role.safeParse(name).data ?? []);
}

function nameOf({ name, preferred_username: short }: JWTPayload, subject: string): string {
  const text = [name, short].find((each): each is string => typeof each === 'string' && each.trim() !== '') ?? subject;
  // What PostgreSQL cannot keep, see plainText; and a cut may halve the last character.
  return text.replace(/[\0\p{Surrogate}]/gu, '').slice(0, 100).replace(/[\ud800-\udbff]$/, '') || 'unnamed';
}

function unprovedIssuer(token: string): string | undefined {
  try {
    return decodeJwt(token).iss;
  } catch {
    return undefined;
  }
}

const invalid = () => refuse('token-invalid', 'This token is not accepted here. Get a new one from your issuer, or use an API key.');
