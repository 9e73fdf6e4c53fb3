import { Controller } from '@nestjs/common';
import { listPersonas } from '@skillgate/contracts/calls/personas';
import type { CallAnswer, CallParsedInput } from '@skillgate/contracts/define-call';
import { Serves } from '@skillgate/wire/serve';
import { Authority } from '../authority.js';
import { PersonasStore } from '../personas-store.js';

@Controller()
export class ServeListPersonas {
  constructor(
    private readonly store: PersonasStore,
    private readonly authority: Authority,
  ) {}

  @Serves(listPersonas)
  async listPersonas(input: CallParsedInput<typeof listPersonas>): Promise<CallAnswer<typeof listPersonas>> {
    const { authority, account } = input;
    await this.authority.permit(authority, 'list-personas', { account });
    return { personas: (await this.store.list(account)).map(({ instructions: _words, ...persona }) => persona) };
  }
}
