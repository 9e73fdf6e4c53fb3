import { Controller, Inject } from '@nestjs/common';
import { validateSkills } from '@skillgate/contracts/calls/skill-versions';
import type { CallAnswer, CallParsedInput } from '@skillgate/contracts/define-call';
import { Serves } from '@skillgate/wire/serve';
import { ROOM, type CatalogRoom } from '../catalog-room.js';
import { validatePackage } from '../validate-package.js';

@Controller()
export class ServeValidateSkills {
  constructor(@Inject(ROOM) private readonly room: CatalogRoom) {}

  @Serves(validateSkills)
  async serve(input: CallParsedInput<typeof validateSkills>): Promise<CallAnswer<typeof validateSkills>> {
    return validatePackage(this.room, input);
  }
}
