import { refuse } from '@skillgate/contracts/refusal';

/** What a request shows of who sent it: a key of this house, or a token of an issuer that the operator trusts. */
export type Credential = { kind: 'key'; key: string } | { kind: 'token'; token: string };

// RFC 6750, 2.1: the scheme is case-insensitive, then a token68. Our keys are `sk-sg-` and 43 base64url characters.
const bearer = /^bearer +([\w.~+/=-]{1,16384}) *$/i;
const ownKey = /^sk-sg-[\w-]{43}$/;
/** A JWT in compact form (RFC 7519): three parts in base64url. A part without a letter, as of `alg: none`, is for accounts to refuse. */
const compact = /^[\w-]+\.[\w-]+\.[\w-]*$/;

/** The credential of an `Authorization` header. Refusals: `missing-api-key`, `invalid-api-key`; what was sent is never quoted. */
export function credentialOf(header: string | undefined): Credential {
  if (!header) throw refuse('missing-api-key', 'Send your API key, or the token of a sign-in, in the header "Authorization: Bearer …".');
  const shown = bearer.exec(header)?.[1];
  if (shown && ownKey.test(shown)) return { kind: 'key', key: shown };
  if (shown && compact.test(shown)) return { kind: 'token', token: shown };
  throw invalidKey();
}

export const invalidKey = () =>
  refuse('invalid-api-key', 'This API key is not known here. Check it, or ask an admin of your account for a new one.');
