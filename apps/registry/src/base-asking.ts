import type { ReceiptClaims } from '@skillgate/contracts/tokens';
import type { TurnTicket } from './grant-claims.js';
import { baseProfile } from './profiles.js';

/** Stands where the skill stands that opened a tool; no slug looks like it, so no lock and no skill is meant. */
export const noSkill = '(base)';

/**
 * What every account with tools may ask for without a skill, as a receipt would say it. Nothing is signed by it: the ticket is the proof of the
 * turn, and standing, policy and liveness are decided as for any other tool.
 */
export const baseAsking = ({ jti, account, chat, turn, policyEpoch, iat, exp }: TurnTicket): ReceiptClaims => ({
  ...{ iss: 'catalog', typ: 'receipt', ticket: jti, account, chat, turn, policyEpoch, iat, exp, jti },
  ...{ skill: noSkill, version: '0', digest: '0'.repeat(64) },
  requires: { profiles: [baseProfile], tools: [], capabilities: [], integrations: [] },
});
