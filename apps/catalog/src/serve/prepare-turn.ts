import { Controller, Inject } from '@nestjs/common';
import { prepareTurn } from '@skillgate/contracts/calls/catalog';
import type { CallAnswer, CallParsedInput } from '@skillgate/contracts/define-call';
import { Serves } from '@skillgate/wire/serve';
import { ROOM, type CatalogRoom } from '../catalog-room.js';
import { prepare } from '../prepare-turn.js';

@Controller()
export class ServePrepareTurn {
  constructor(@Inject(ROOM) private readonly room: CatalogRoom) {}

  @Serves(prepareTurn)
  async serve(input: CallParsedInput<typeof prepareTurn>): Promise<CallAnswer<typeof prepareTurn>> {
    return prepare(this.room, input);
  }
}
