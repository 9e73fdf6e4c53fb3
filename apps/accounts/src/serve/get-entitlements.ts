import { Controller } from '@nestjs/common';
import { getEntitlements } from '@skillgate/contracts/calls/accounts';
import type { CallParsedInput } from '@skillgate/contracts/define-call';
import type { Entitlements } from '@skillgate/contracts/entitlements';
import { refuse } from '@skillgate/contracts/refusal';
import { Serves } from '@skillgate/wire/serve';
import { AccountsStore } from '../accounts-store.js';

@Controller()
export class ServeGetEntitlements {
  constructor(private readonly accounts: AccountsStore) {}

  @Serves(getEntitlements)
  async getEntitlements({ account, minEpoch }: CallParsedInput<typeof getEntitlements>): Promise<Entitlements> {
    const { entitlements } = await this.accounts.facts(account);
    const { policyEpoch } = entitlements;
    if (policyEpoch >= minEpoch) return entitlements;
    throw refuse('epoch-not-reached', `Epoch ${minEpoch} was asked for and ${policyEpoch} is the newest here; ask again.`, { policyEpoch });
  }
}
