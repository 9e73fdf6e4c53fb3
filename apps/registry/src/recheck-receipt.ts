import type { Entitlements } from '@skillgate/contracts/entitlements';
import type { ReceiptClaims } from '@skillgate/contracts/tokens';
import { resolveSkill } from '@skillgate/gating/resolve';
import type { Withholding } from './tool-standing.js';
import { goOnWithout } from './without-it.js';

/**
 * A receipt says what was true at the load. Locks and requirements are decided again on the account's present facts;
 * for the scopes of chat and persona, which only the catalog knows, the receipt itself is the word.
 *
 * @returns why the skill opens nothing now, or undefined when it still may
 */
export function recheckReceipt({ skill, requires }: Pick<ReceiptClaims, 'skill' | 'requires'>, entitlements: Entitlements): Withholding | undefined {
  const { locks, capabilities, integrations } = entitlements;
  const decision = resolveSkill(
    { slug: skill, hidden: false, defaultState: 'available', requires },
    {
      layers: { turn: { [skill]: 'available' }, chat: {}, persona: {}, account: {} },
      locks,
      entitlements: { capabilities, integrations },
      modelUsesTools: true,
    },
  );
  if (decision.usable) return undefined;
  if (decision.state === 'never') return { slug: 'skill-never', message: goOnWithout(`A lock switched the skill "${skill}" off`) };
  const slug = decision.unmet.some(({ kind }) => kind === 'integration') ? 'integration-missing' : 'capability-missing';
  return { slug, message: decision.unmet.map(({ message }) => message).join(' ') };
}
