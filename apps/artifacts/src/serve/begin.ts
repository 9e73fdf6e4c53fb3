import { Controller, Inject } from '@nestjs/common';
import { beginArtifact } from '@skillgate/contracts/calls/artifacts';
import type { CallAnswer, CallParsedInput } from '@skillgate/contracts/define-call';
import type { CallContext } from '@skillgate/wire/call-context';
import { Serves } from '@skillgate/wire/serve';
import { begin } from '../begin-artifact.js';
import { ROOM, type Room } from '../room.js';

@Controller()
export class ServeBegin {
  constructor(@Inject(ROOM) private readonly room: Room) {}

  @Serves(beginArtifact)
  async serve(input: CallParsedInput<typeof beginArtifact>, { caller }: CallContext): Promise<CallAnswer<typeof beginArtifact>> {
    return begin(this.room, input, caller);
  }
}
