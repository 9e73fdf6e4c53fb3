import { Controller, Inject } from '@nestjs/common';
import { readPiece } from '@skillgate/contracts/calls/artifacts';
import type { CallAnswer, CallParsedInput } from '@skillgate/contracts/define-call';
import type { CallContext } from '@skillgate/wire/call-context';
import { Serves } from '@skillgate/wire/serve';
import { read } from '../read-artifact.js';
import { ROOM, type Room } from '../room.js';

@Controller()
export class ServeReadPiece {
  constructor(@Inject(ROOM) private readonly room: Room) {}

  @Serves(readPiece)
  async serve(input: CallParsedInput<typeof readPiece>, { caller }: CallContext): Promise<CallAnswer<typeof readPiece>> {
    return read(this.room, input, caller);
  }
}
