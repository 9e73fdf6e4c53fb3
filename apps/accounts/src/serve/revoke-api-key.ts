import { Controller } from '@nestjs/common';
import { revokeApiKey } from '@skillgate/contracts/calls/api-keys';
import type { CallAnswer, CallParsedInput } from '@skillgate/contracts/define-call';
import { Serves } from '@skillgate/wire/serve';
import { Authority } from '../authority.js';
import { KeysStore } from '../keys-store.js';

@Controller()
export class ServeRevokeApiKey {
  constructor(
    private readonly keys: KeysStore,
    private readonly authority: Authority,
  ) {}

  @Serves(revokeApiKey)
  async revokeApiKey({ authority, account, key }: CallParsedInput<typeof revokeApiKey>): Promise<CallAnswer<typeof revokeApiKey>> {
    // A key that is not there belongs to nobody: who may not revoke the keys of others hears the same of it.
    const user = await this.keys.userOf(account, key);
    const actor = await this.authority.permit(authority, 'revoke-api-key', { account, user });
    await this.keys.revoke(account, key, actor);
    return { id: key, revoked: true };
  }
}
