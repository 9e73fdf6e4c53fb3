import { Controller } from '@nestjs/common';
import { createApiKey } from '@skillgate/contracts/calls/accounts';
import type { CallAnswer, CallParsedInput } from '@skillgate/contracts/define-call';
import { Serves } from '@skillgate/wire/serve';
import { markOf, newApiKey } from '../api-key.js';
import { KeysStore } from '../keys-store.js';

@Controller()
export class ServeCreateApiKey {
  constructor(private readonly keys: KeysStore) {}

  /** The secret leaves here and is nowhere afterwards. */
  @Serves(createApiKey)
  async createApiKey(input: CallParsedInput<typeof createApiKey>): Promise<CallAnswer<typeof createApiKey>> {
    const secret = newApiKey();
    const { id, name, user, createdAt } = await this.keys.add(input, markOf(secret));
    return { id, name, user, secret, createdAt: createdAt.toISOString() };
  }
}
