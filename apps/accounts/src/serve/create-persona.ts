import { Controller, Inject } from '@nestjs/common';
import { createPersona } from '@skillgate/contracts/calls/personas';
import type { CallAnswer, CallParsedInput } from '@skillgate/contracts/define-call';
import { Serves } from '@skillgate/wire/serve';
import { Authority } from '../authority.js';
import { INTEGRATIONS, requireNames, type IntegrationsRoom } from '../integrations/integrations-room.js';
import { PersonasStore } from '../personas-store.js';

@Controller()
export class ServeCreatePersona {
  constructor(
    private readonly store: PersonasStore,
    private readonly authority: Authority,
    @Inject(INTEGRATIONS) private readonly room: IntegrationsRoom,
  ) {}

  @Serves(createPersona)
  async createPersona(input: CallParsedInput<typeof createPersona>): Promise<CallAnswer<typeof createPersona>> {
    const { authority, ...written } = input;
    const actor = await this.authority.permit(authority, 'create-persona', { account: written.account });
    requireNames(this.room, written.integrations ?? []);
    return this.store.create(written, actor);
  }
}
