import { accountId } from '@skillgate/contracts/words';
import { z } from 'zod';

/** Signatures that a public key proves. `none` and HMAC are not among them: whoever knows a public key could make those. */
const algorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'] as const;

const loopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** Keys and discovery over plain HTTP could be swapped on the way; on one machine there is no way. */
const safeUrl = z
  .string()
  .refine((text) => URL.canParse(text) && isSafe(new URL(text)), 'is no https:// address (http:// is for this machine alone)');

const isSafe = ({ protocol, hostname, username, password }: URL): boolean =>
  !username && !password && (protocol === 'https:' || (protocol === 'http:' && loopback.test(hostname)));

const claim = z.string().min(1).max(200);

/** One issuer whose tokens open accounts. */
export const tokenIssuer = z.strictObject({
  /** Exactly as `iss` of its tokens. */
  issuer: safeUrl,
  /** What `aud` must contain one of: how the issuer names this installation. */
  audience: z.union([z.string().min(1), z.array(z.string().min(1)).min(1)]),
  /** Discovered at `<issuer>/.well-known/openid-configuration` when absent. */
  jwksUri: safeUrl.optional(),
  /** The claim that holds the account's id. */
  accountClaim: claim.default('skillgate_account'),
  /** Accounts that this issuer may speak for; all when absent. */
  accounts: z.array(accountId).min(1).optional(),
  /** A claim with role names, one or a list, which bound what the user may do by this token. */
  rolesClaim: claim.optional(),
  algorithms: z.array(z.enum(algorithms)).min(1).default(['RS256', 'PS256', 'ES256', 'EdDSA']),
  /** Seconds that the clocks of both sides may differ by. */
  clockSkewSeconds: z.number().int().min(0).max(300).default(5),
  /** Whether a subject that is unknown here becomes a user of the account, with the role `user`. */
  provision: z.boolean().default(false),
});
export type TokenIssuer = z.output<typeof tokenIssuer>;

/** `SKILLGATE_OIDC_ISSUERS`: a JSON list. */
export const tokenIssuersVariable = z
  .string()
  .transform((text, context): unknown => {
    try {
      return JSON.parse(text);
    } catch {
      context.addIssue('is no JSON'); // JSON.parse would quote what was given
      return z.NEVER;
    }
  })
  .pipe(z.array(tokenIssuer).refine((list) => new Set(list.map(({ issuer }) => issuer)).size === list.length, 'names an issuer twice'))
  .meta({ example: '[{"issuer":"https://login.example.org","audience":"skillgate","accountClaim":"skillgate_account","provision":true}]' });
