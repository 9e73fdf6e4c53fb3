import { Controller } from '@nestjs/common';
import { listProfiles } from '@skillgate/contracts/calls/registry';
import type { CallAnswer } from '@skillgate/contracts/define-call';
import { Serves } from '@skillgate/wire/serve';
import { ListProfiles } from '../list-profiles.js';

@Controller()
export class ServeListProfiles {
  constructor(private readonly profiles: ListProfiles) {}

  @Serves(listProfiles)
  listProfiles(): Promise<CallAnswer<typeof listProfiles>> {
    return this.profiles.list();
  }
}
