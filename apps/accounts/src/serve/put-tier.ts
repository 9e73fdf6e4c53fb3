import { Controller } from '@nestjs/common';
import { putTier } from '@skillgate/contracts/calls/accounts';
import type { CallAnswer, CallParsedInput } from '@skillgate/contracts/define-call';
import { Serves } from '@skillgate/wire/serve';
import { Authority } from '../authority.js';
import { FollowTiers } from '../follow-tiers.js';
import { TiersStore } from '../tiers-store.js';

/** Milliseconds that the answer waits for accounts to follow, well inside of the call's deadline; the rest follow later. */
const followMs = 15_000;

@Controller()
export class ServePutTier {
  constructor(
    private readonly tiers: TiersStore,
    private readonly followTiers: FollowTiers,
    private readonly authority: Authority,
  ) {}

  @Serves(putTier)
  async putTier({ authority, ...wanted }: CallParsedInput<typeof putTier>): Promise<CallAnswer<typeof putTier>> {
    const tier = await this.tiers.put(wanted, await this.authority.permit(authority, 'put-tier'));
    const { following } = await this.followTiers.follow(tier.name, Date.now() + followMs);
    return { ...tier, following, behind: await this.followTiers.behind(tier.name) };
  }
}
