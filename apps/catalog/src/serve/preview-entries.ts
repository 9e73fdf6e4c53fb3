import { Controller, Inject } from '@nestjs/common';
import { previewEntries } from '@skillgate/contracts/calls/catalog';
import type { CallAnswer, CallParsedInput } from '@skillgate/contracts/define-call';
import { Serves } from '@skillgate/wire/serve';
import { ROOM, type CatalogRoom } from '../catalog-room.js';
import { previewOf } from '../preview-entries.js';

@Controller()
export class ServePreviewEntries {
  constructor(@Inject(ROOM) private readonly room: CatalogRoom) {}

  @Serves(previewEntries)
  async serve(input: CallParsedInput<typeof previewEntries>): Promise<CallAnswer<typeof previewEntries>> {
    return previewOf(this.room, input);
  }
}
