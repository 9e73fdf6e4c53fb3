import { subject as subjectClaim } from '@skillgate/contracts/calls/users';
import { role, type Role } from '@skillgate/contracts/entitlements';
import { asName, displayName } from '@skillgate/contracts/plain-text';
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
  /** The claim that `roles` were read from, by its name in the configuration. */
  readonly rolesClaim?: string;
  /** What people call the subject, for a new user. */
  readonly name: string;
  /** Seconds since the epoch. */
  readonly expiresAt: number;
  /** Whether the issuer may make this subject a user. */
  readonly provision: boolean;
  /** Whether the configuration names this very account for the issuer, and not all of them by leaving the list out. */
  readonly accountIsNamed: boolean;
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
  // A UUID is the same in capitals (RFC 9562, 4); what is compared further on is text.
  const id = account.data.toLowerCase();
  const accountIsNamed = issuer.accounts?.some((each) => each.toLowerCase() === id) ?? false;
  if (issuer.accounts && !accountIsNamed) return refuseFor(`claim ${issuer.accountClaim}: not an account of this issuer`);
  // A signature proves who said it and nothing of its shape: whatever is read is parsed.
  const sub = subjectClaim.safeParse(payload.sub);
  if (!sub.success) return refuseFor('claim sub: no text of 1 to 255 characters that can be seen');
  const expiresAt = Math.floor(payload.exp!);
  if (!Number.isSafeInteger(expiresAt)) return refuseFor('claim exp: no time');
  const subject = sub.data;
  return {
    ...{ issuer: issuer.issuer, subject, account: id, provision: issuer.provision, accountIsNamed },
    ...(issuer.rolesClaim && { roles: rolesOf(payload[issuer.rolesClaim]), rolesClaim: issuer.rolesClaim }),
    name: nameOf(payload, subject),
    expiresAt,
  };
}

/** Names that are no roles here are other applications' business. Nothing said is the least. */
function rolesOf(claimed: unknown): Role[] {
  if (claimed === undefined) return ['user'];
  const names = Array.isArray(claimed) ? claimed : [claimed];
  return names.flatMap((name) => role.safeParse(name).data ?? []);
}

function nameOf({ name, preferred_username: short }: JWTPayload, subject: string): string {
  // A cut may halve the last character; `asName` takes the half away, as all that nobody would see.
  const names = [name, short, subject].map((each) => (typeof each === 'string' ? asName(each.slice(0, 100)) : ''));
  return names.find((each) => displayName.safeParse(each).success) ?? 'unnamed';
}

function unprovedIssuer(token: string): string | undefined {
  try {
    return decodeJwt(token).iss;
  } catch {
    return undefined;
  }
}

const invalid = () => refuse('token-invalid', 'This token is not accepted here. Get a new one from your issuer, or use an API key.');
