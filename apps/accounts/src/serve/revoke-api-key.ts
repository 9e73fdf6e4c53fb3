import { Controller } from '@nestjs/common';
import { revokeApiKey } from '@skillgate/contracts/calls/accounts';
import type { CallAnswer, CallParsedInput } from '@skillgate/contracts/define-call';
import { Serves } from '@skillgate/wire/serve';
import { KeysStore } from '../keys-store.js';

@Controller()
export class ServeRevokeApiKey {
  constructor(private readonly keys: KeysStore) {}

  @Serves(revokeApiKey)
  async revokeApiKey({ account, key }: CallParsedInput<typeof revokeApiKey>): Promise<CallAnswer<typeof revokeApiKey>> {
    await this.keys.revoke(account, key);
    return { id: key, revoked: true };
  }
}
