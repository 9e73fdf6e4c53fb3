import { Controller, Inject } from '@nestjs/common';
import { listArtifacts } from '@skillgate/contracts/calls/artifacts';
import type { CallAnswer, CallParsedInput } from '@skillgate/contracts/define-call';
import type { CallContext } from '@skillgate/wire/call-context';
import { Serves } from '@skillgate/wire/serve';
import { list } from '../read-artifact.js';
import { ROOM, type Room } from '../room.js';

@Controller()
export class ServeList {
  constructor(@Inject(ROOM) private readonly room: Room) {}

  @Serves(listArtifacts)
  async serve(input: CallParsedInput<typeof listArtifacts>, { caller }: CallContext): Promise<CallAnswer<typeof listArtifacts>> {
    return list(this.room, input, caller);
  }
}
