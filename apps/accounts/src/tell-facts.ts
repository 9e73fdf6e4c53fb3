import { entitlementsChanged, policyRaised } from '@skillgate/contracts/events/accounts';
import { enqueueAll, outgoing, type Outgoing } from '@skillgate/store/enqueue';
import type { EntityManager } from 'typeorm';
import type { AccountFacts } from './account-facts.js';

/**
 * Lets the new facts of an account leave with the transaction that made them: whatever writes facts ends with this. The
 * account's row is held or new, so that the events of an account leave in the order of its epochs.
 */
export async function tellFacts(sql: EntityManager, facts: AccountFacts, also?: Outgoing): Promise<AccountFacts> {
  const { entitlements } = facts;
  const { account, policyEpoch } = entitlements;
  const events = [outgoing(entitlementsChanged, entitlements, account), outgoing(policyRaised, { account, policyEpoch }, account)];
  await enqueueAll(sql, [...events, ...(also ? [also] : [])]);
  return facts;
}
