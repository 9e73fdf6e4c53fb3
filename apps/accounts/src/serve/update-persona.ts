import { Controller, Inject } from '@nestjs/common';
import { updatePersona } from '@skillgate/contracts/calls/personas';
import type { CallAnswer, CallParsedInput } from '@skillgate/contracts/define-call';
import { Serves } from '@skillgate/wire/serve';
import { Authority } from '../authority.js';
import { INTEGRATIONS, requireNames, type IntegrationsRoom } from '../integrations/integrations-room.js';
import { PersonasStore } from '../personas-store.js';

@Controller()
export class ServeUpdatePersona {
  constructor(
    private readonly store: PersonasStore,
    private readonly authority: Authority,
    @Inject(INTEGRATIONS) private readonly room: IntegrationsRoom,
  ) {}

  @Serves(updatePersona)
  async updatePersona(input: CallParsedInput<typeof updatePersona>): Promise<CallAnswer<typeof updatePersona>> {
    const { authority, ...written } = input;
    const actor = await this.authority.permit(authority, 'update-persona', { account: written.account });
    requireNames(this.room, written.integrations ?? []);
    return this.store.update(written, actor);
  }
}
