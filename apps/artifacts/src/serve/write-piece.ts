import { Controller, Inject } from '@nestjs/common';
import { writePiece } from '@skillgate/contracts/calls/artifacts';
import type { CallAnswer, CallParsedInput } from '@skillgate/contracts/define-call';
import type { CallContext } from '@skillgate/wire/call-context';
import { Serves } from '@skillgate/wire/serve';
import { write } from '../write-piece.js';
import { ROOM, type Room } from '../room.js';

@Controller()
export class ServeWritePiece {
  constructor(@Inject(ROOM) private readonly room: Room) {}

  @Serves(writePiece)
  async serve(input: CallParsedInput<typeof writePiece>, { caller }: CallContext): Promise<CallAnswer<typeof writePiece>> {
    return write(this.room, input, caller);
  }
}
