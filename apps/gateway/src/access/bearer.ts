import { refuse } from '@skillgate/contracts/refusal';

// RFC 6750, 2.1: the scheme is case-insensitive, then a token68. Ours are `sk-sg-` and 43 base64url characters.
const bearer = /^bearer +(sk-sg-[\w-]{43}) *$/i;

/** The API key of an `Authorization` header. Refusals: `missing-api-key`, `invalid-api-key`; the key is never quoted. */
export function bearerKey(header: string | undefined): string {
  if (!header) throw refuse('missing-api-key', 'Send your API key in the header "Authorization: Bearer sk-sg-…".');
  const key = bearer.exec(header)?.[1];
  if (!key) throw invalidKey();
  return key;
}

export const invalidKey = () =>
  refuse('invalid-api-key', 'This API key is not known here. Check it, or ask an admin of your account for a new one.');
