import { type OfferClaims, offerClaims, offerSeconds } from '@skillgate/contracts/tokens';
import { makeVerifier, type Signer, type Verifier } from '@skillgate/service-kit/signing';
import type { TurnTicket } from './grant-claims.js';
import type { Opening } from './open-tools.js';

/** Says that this skill opened this tool in this turn, for when its user approves a call. It runs nothing. */
export function signOffer(signer: Signer, { tool, receipt }: Opening, { account, user, chat, turn, persona }: TurnTicket): Promise<string> {
  const { skill, version, digest, requires } = receipt;
  const exp = Math.floor(Date.now() / 1000) + offerSeconds;
  return signer.sign({ typ: 'offer', account, user, chat, turn, tool: tool.tool, skill, version, digest, requires, ...(persona && { persona }), exp });
}

/** Checks what this service signed itself, in any of its replicas: they have one key. Refuses `offer-invalid` and `offer-expired`. */
export const offerVerifier = (signer: Signer): Verifier<OfferClaims> =>
  makeVerifier({ issuer: 'registry', typ: 'offer', schema: offerClaims, fetchKeys: async () => signer.publicKeys() });
