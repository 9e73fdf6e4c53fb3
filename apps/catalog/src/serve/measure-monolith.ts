import { Controller, Inject } from '@nestjs/common';
import { measureMonolith } from '@skillgate/contracts/calls/catalog';
import type { CallAnswer } from '@skillgate/contracts/define-call';
import { Serves } from '@skillgate/wire/serve';
import { ROOM, type CatalogRoom } from '../catalog-room.js';
import { measure } from '../measure-monolith.js';

@Controller()
export class ServeMeasureMonolith {
  constructor(@Inject(ROOM) private readonly room: CatalogRoom) {}

  @Serves(measureMonolith)
  async serve(): Promise<CallAnswer<typeof measureMonolith>> {
    return measure(this.room);
  }
}
