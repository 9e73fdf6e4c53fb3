import { Controller } from '@nestjs/common';
import { listManifests } from '@skillgate/contracts/calls/registry';
import type { CallAnswer } from '@skillgate/contracts/define-call';
import { Serves } from '@skillgate/wire/serve';
import { ListManifests } from '../list-manifests.js';

@Controller()
export class ServeListManifests {
  constructor(private readonly manifests: ListManifests) {}

  @Serves(listManifests)
  listManifests(): Promise<CallAnswer<typeof listManifests>> {
    return this.manifests.list();
  }
}
