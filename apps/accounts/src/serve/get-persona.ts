import { Controller } from '@nestjs/common';
import { getPersona } from '@skillgate/contracts/calls/personas';
import type { CallAnswer, CallParsedInput } from '@skillgate/contracts/define-call';
import { Serves } from '@skillgate/wire/serve';
import { Authority } from '../authority.js';
import { PersonasStore } from '../personas-store.js';

@Controller()
export class ServeGetPersona {
  constructor(
    private readonly store: PersonasStore,
    private readonly authority: Authority,
  ) {}

  @Serves(getPersona)
  async getPersona(input: CallParsedInput<typeof getPersona>): Promise<CallAnswer<typeof getPersona>> {
    const { account } = await this.authority.bearer(input.ticket);
    return this.store.get(account, input.slug);
  }
}
