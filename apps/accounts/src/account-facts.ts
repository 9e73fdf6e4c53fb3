import type { CallAnswer } from '@skillgate/contracts/define-call';
import type { getAccount } from '@skillgate/contracts/calls/accounts';
import type { Entitlements } from '@skillgate/contracts/entitlements';

/** One account, read in one statement: what it may use and what people see of it. */
export interface AccountFacts {
  readonly name: string;
  readonly createdAt: Date;
  readonly entitlements: Entitlements;
}

export function viewOf({ name, createdAt, entitlements }: AccountFacts): CallAnswer<typeof getAccount> {
  const { account: id, tier, capabilities, integrations, policyEpoch } = entitlements;
  return { id, name, tier, capabilities, integrations, policyEpoch, createdAt: createdAt.toISOString() };
}
