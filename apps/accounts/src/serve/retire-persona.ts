import { Controller } from '@nestjs/common';
import { retirePersona } from '@skillgate/contracts/calls/personas';
import type { CallAnswer, CallParsedInput } from '@skillgate/contracts/define-call';
import { Serves } from '@skillgate/wire/serve';
import { Authority } from '../authority.js';
import { PersonasStore } from '../personas-store.js';

@Controller()
export class ServeRetirePersona {
  constructor(
    private readonly store: PersonasStore,
    private readonly authority: Authority,
  ) {}

  @Serves(retirePersona)
  async retirePersona(input: CallParsedInput<typeof retirePersona>): Promise<CallAnswer<typeof retirePersona>> {
    const { authority, account, slug } = input;
    return this.store.retire(account, slug, await this.authority.permit(authority, 'retire-persona', { account }));
  }
}
