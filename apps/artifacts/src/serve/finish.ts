import { Controller, Inject } from '@nestjs/common';
import { finishArtifact } from '@skillgate/contracts/calls/artifacts';
import type { CallAnswer, CallParsedInput } from '@skillgate/contracts/define-call';
import type { CallContext } from '@skillgate/wire/call-context';
import { Serves } from '@skillgate/wire/serve';
import { finish } from '../finish-artifact.js';
import { ROOM, type Room } from '../room.js';

@Controller()
export class ServeFinish {
  constructor(@Inject(ROOM) private readonly room: Room) {}

  @Serves(finishArtifact)
  async serve(input: CallParsedInput<typeof finishArtifact>, { caller, signal }: CallContext): Promise<CallAnswer<typeof finishArtifact>> {
    return finish(this.room, input, caller, signal);
  }
}
