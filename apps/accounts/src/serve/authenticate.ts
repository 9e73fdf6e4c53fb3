import { Controller } from '@nestjs/common';
import { authenticate, type KeyPrincipal } from '@skillgate/contracts/calls/accounts';
import type { CallParsedInput } from '@skillgate/contracts/define-call';
import { refuse } from '@skillgate/contracts/refusal';
import { Serves } from '@skillgate/wire/serve';
import { markOf } from '../api-key.js';
import { KeysStore } from '../keys-store.js';

@Controller()
export class ServeAuthenticate {
  constructor(private readonly keys: KeysStore) {}

  /** Malformed, unknown, revoked, of a revoked user: one answer, so that a guesser learns nothing. */
  @Serves(authenticate)
  async authenticate({ key }: CallParsedInput<typeof authenticate>): Promise<KeyPrincipal> {
    const principal = await this.keys.findPrincipal(markOf(key).hash);
    if (!principal) throw refuse('unknown-key', 'This API key is not valid. Use a current key, or ask the account admin for one.');
    return principal;
  }
}
