import { Controller } from '@nestjs/common';
import { updatePersona } from '@skillgate/contracts/calls/accounts';
import type { CallAnswer, CallParsedInput } from '@skillgate/contracts/define-call';
import { Serves } from '@skillgate/wire/serve';
import { Authority } from '../authority.js';
import { PersonasStore } from '../personas-store.js';

@Controller()
export class ServeUpdatePersona {
  constructor(
    private readonly store: PersonasStore,
    private readonly authority: Authority,
  ) {}

  @Serves(updatePersona)
  async updatePersona(input: CallParsedInput<typeof updatePersona>): Promise<CallAnswer<typeof updatePersona>> {
    const { authority, ...written } = input;
    return this.store.update(written, await this.authority.permit(authority, 'update-persona', { account: written.account }));
  }
}
