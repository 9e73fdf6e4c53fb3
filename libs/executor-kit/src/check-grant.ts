import { argumentsHash } from '@skillgate/contracts/arguments-hash';
import { refuse } from '@skillgate/contracts/refusal';
import type { GrantClaims } from '@skillgate/contracts/tokens';
import { requireAudience } from '@skillgate/service-kit/signing';

/** Checks form, signature and times of a grant; throws `grant-invalid` or `grant-expired`. */
export type VerifyGrant = (token: string) => Promise<GrantClaims>;

/** The newest policy epoch that this executor has heard of for an account; 0 when it heard of none. */
export type NewestEpoch = (account: string) => number;

export interface GrantQuestion {
  /** The `grant` header. */
  token: string | undefined;
  /** The `turn-id` header. */
  turn: string | undefined;
  /** This executor's own name. */
  executor: string;
  tool: string;
  /** The `call-id` header and the body: what a grant for one approved call is compared with. */
  callId: string | undefined;
  arguments: unknown;
  newestEpoch: NewestEpoch;
}

/**
 * May this call run here? Answers with the claims, which are the only facts about the caller that a tool may believe.
 *
 * @param seen is told the claims as soon as the signature held, so that a refused call's span names its grant.
 * @throws refusals in this order: `grant-missing`, `grant-invalid`, `grant-expired`, `grant-audience`, `grant-turn`, `grant-tool`,
 *   `grant-call`, `grant-outdated`. The last is told to the rightful holder alone, who can show a newer one
 */
export async function checkGrant(question: GrantQuestion, verify: VerifyGrant, seen: (claims: GrantClaims) => void): Promise<GrantClaims> {
  const { token, turn, executor, tool, newestEpoch } = question;
  if (!token) {
    throw refuse('grant-missing', `${tool} was called without a grant. Load a skill that opens it, then call it again.`);
  }
  const claims = await verify(token);
  seen(claims);
  requireAudience(claims, executor);
  if (claims.turn !== turn) {
    throw refuse('grant-turn', 'This grant belongs to another turn. Resolve the tools of the running turn and use that grant.');
  }
  if (!Object.hasOwn(claims.tools, tool)) {
    throw refuse('grant-tool', `${tool} is not opened in this turn. Load a skill that opens it, then call it again.`);
  }
  const { call } = claims;
  if (call && (call.id !== question.callId || call.argumentsHash !== argumentsHash(question.arguments))) {
    throw refuse('grant-call', 'This grant is for another call, or for other arguments, than its user approved. Ask the user to approve this one.');
  }
  const policyEpoch = newestEpoch(claims.account);
  if (claims.policyEpoch < policyEpoch) {
    const message = 'What this account may use has changed since this grant was signed. Resolve the tools anew and use that grant.';
    throw refuse('grant-outdated', message, { policyEpoch });
  }
  return claims;
}
