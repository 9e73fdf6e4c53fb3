import { Controller } from '@nestjs/common';
import { createApiKey } from '@skillgate/contracts/calls/api-keys';
import type { CallAnswer, CallParsedInput } from '@skillgate/contracts/define-call';
import { Serves } from '@skillgate/wire/serve';
import { markOf, newApiKey } from '../api-key.js';
import { Authority } from '../authority.js';
import { KeysStore } from '../keys-store.js';

@Controller()
export class ServeCreateApiKey {
  constructor(
    private readonly keys: KeysStore,
    private readonly authority: Authority,
  ) {}

  /** The secret leaves here and is nowhere afterwards. */
  @Serves(createApiKey)
  async createApiKey(input: CallParsedInput<typeof createApiKey>): Promise<CallAnswer<typeof createApiKey>> {
    const { authority, expiresAt: end, ...wanted } = input;
    const actor = await this.authority.permit(authority, 'create-api-key', { account: wanted.account });
    const secret = newApiKey();
    const row = await this.keys.add({ ...wanted, ...(end && { expiresAt: new Date(end) }) }, markOf(secret), actor);
    const { id, name, user, createdAt, expiresAt } = row;
    return { id, name, user, secret, createdAt: createdAt.toISOString(), expiresAt: expiresAt?.toISOString() ?? null };
  }
}
