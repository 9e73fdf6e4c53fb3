import { Controller } from '@nestjs/common';
import { listApiKeys } from '@skillgate/contracts/calls/api-keys';
import type { CallAnswer, CallParsedInput } from '@skillgate/contracts/define-call';
import { Serves } from '@skillgate/wire/serve';
import { Authority } from '../authority.js';
import { KeysStore } from '../keys-store.js';

@Controller()
export class ServeListApiKeys {
  constructor(
    private readonly keys: KeysStore,
    private readonly authority: Authority,
  ) {}

  @Serves(listApiKeys)
  async listApiKeys({ authority, account, user }: CallParsedInput<typeof listApiKeys>): Promise<CallAnswer<typeof listApiKeys>> {
    await this.authority.permit(authority, 'list-api-keys', { account, user });
    return { keys: await this.keys.list(account, user) };
  }
}
