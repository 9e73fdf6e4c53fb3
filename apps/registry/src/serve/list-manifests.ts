import { Controller } from '@nestjs/common';
import { listManifests } from '@skillgate/contracts/calls/registry';
import type { CallAnswer, CallParsedInput } from '@skillgate/contracts/define-call';
import { Serves } from '@skillgate/wire/serve';
import { ListManifests } from '../list-manifests.js';

@Controller()
export class ServeListManifests {
  constructor(private readonly manifests: ListManifests) {}

  @Serves(listManifests)
  listManifests({ executor }: CallParsedInput<typeof listManifests>): Promise<CallAnswer<typeof listManifests>> {
    return this.manifests.list(executor);
  }
}
