import { Controller } from '@nestjs/common';
import { listTiers } from '@skillgate/contracts/calls/accounts';
import type { CallAnswer, CallParsedInput } from '@skillgate/contracts/define-call';
import { Serves } from '@skillgate/wire/serve';
import { Authority } from '../authority.js';
import { TiersStore } from '../tiers-store.js';

@Controller()
export class ServeListTiers {
  constructor(
    private readonly tiers: TiersStore,
    private readonly authority: Authority,
  ) {}

  @Serves(listTiers)
  async listTiers({ authority }: CallParsedInput<typeof listTiers>): Promise<CallAnswer<typeof listTiers>> {
    await this.authority.permit(authority, 'list-tiers');
    return { tiers: await this.tiers.list() };
  }
}
