import { Controller } from '@nestjs/common';
import { deleteTier } from '@skillgate/contracts/calls/accounts';
import type { CallAnswer, CallParsedInput } from '@skillgate/contracts/define-call';
import { Serves } from '@skillgate/wire/serve';
import { Authority } from '../authority.js';
import { TiersStore } from '../tiers-store.js';

@Controller()
export class ServeDeleteTier {
  constructor(
    private readonly tiers: TiersStore,
    private readonly authority: Authority,
  ) {}

  @Serves(deleteTier)
  async deleteTier({ authority, name }: CallParsedInput<typeof deleteTier>): Promise<CallAnswer<typeof deleteTier>> {
    await this.tiers.delete(name, await this.authority.permit(authority, 'delete-tier'));
    return { name, deleted: true };
  }
}
