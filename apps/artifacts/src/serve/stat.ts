import { Controller, Inject } from '@nestjs/common';
import { statArtifact } from '@skillgate/contracts/calls/artifacts';
import type { CallAnswer, CallParsedInput } from '@skillgate/contracts/define-call';
import type { CallContext } from '@skillgate/wire/call-context';
import { Serves } from '@skillgate/wire/serve';
import { stat } from '../read-artifact.js';
import { ROOM, type Room } from '../room.js';

@Controller()
export class ServeStat {
  constructor(@Inject(ROOM) private readonly room: Room) {}

  @Serves(statArtifact)
  async serve(input: CallParsedInput<typeof statArtifact>, { caller }: CallContext): Promise<CallAnswer<typeof statArtifact>> {
    return stat(this.room, input, caller);
  }
}
