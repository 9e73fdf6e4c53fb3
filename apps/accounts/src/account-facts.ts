import type { CallAnswer } from '@skillgate/contracts/define-call';
import type { getAccount } from '@skillgate/contracts/calls/accounts';
import type { Entitlements, LimitOverrides, Limits } from '@skillgate/contracts/entitlements';

/** One account, read in one statement: what it may use and what people see of it. */
export interface AccountFacts {
  readonly name: string;
  readonly createdAt: Date;
  /** What the account has beside its tier, and instead of its limits; counted into `entitlements`. */
  readonly extraCapabilities: string[];
  readonly limitOverrides: LimitOverrides;
  readonly entitlements: Entitlements & { limits: Limits };
}

export function viewOf({ name, createdAt, entitlements, ...own }: AccountFacts): CallAnswer<typeof getAccount> {
  const { account: id, tier, capabilities, integrations, limits, policyEpoch } = entitlements;
  return { id, name, tier, capabilities, integrations, limits, policyEpoch, createdAt: createdAt.toISOString(), ...own };
}
