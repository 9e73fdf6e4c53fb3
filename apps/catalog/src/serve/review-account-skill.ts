import { Controller, Inject } from '@nestjs/common';
import { reviewAccountSkill } from '@skillgate/contracts/calls/skill-versions';
import type { CallAnswer, CallParsedInput } from '@skillgate/contracts/define-call';
import { Serves } from '@skillgate/wire/serve';
import { ROOM, type CatalogRoom } from '../catalog-room.js';
import { review } from '../author-skills.js';

@Controller()
export class ServeReviewAccountSkill {
  constructor(@Inject(ROOM) private readonly room: CatalogRoom) {}

  @Serves(reviewAccountSkill)
  async serve(input: CallParsedInput<typeof reviewAccountSkill>): Promise<CallAnswer<typeof reviewAccountSkill>> {
    return review(this.room, input);
  }
}
