import { Controller } from '@nestjs/common';
import { listProfiles } from '@skillgate/contracts/calls/registry';
import type { CallAnswer, CallParsedInput } from '@skillgate/contracts/define-call';
import { Serves } from '@skillgate/wire/serve';
import { ListProfiles } from '../list-profiles.js';

@Controller()
export class ServeListProfiles {
  constructor(private readonly profiles: ListProfiles) {}

  @Serves(listProfiles)
  listProfiles(asked: CallParsedInput<typeof listProfiles>): Promise<CallAnswer<typeof listProfiles>> {
    return this.profiles.list(asked);
  }
}
