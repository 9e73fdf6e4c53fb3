import { Controller } from '@nestjs/common';
import { listUsers } from '@skillgate/contracts/calls/users';
import type { CallAnswer, CallParsedInput } from '@skillgate/contracts/define-call';
import { Serves } from '@skillgate/wire/serve';
import { Authority } from '../authority.js';
import { UsersStore } from '../users-store.js';

@Controller()
export class ServeListUsers {
  constructor(
    private readonly users: UsersStore,
    private readonly authority: Authority,
  ) {}

  @Serves(listUsers)
  async listUsers(input: CallParsedInput<typeof listUsers>): Promise<CallAnswer<typeof listUsers>> {
    const { authority, account, after, limit } = input;
    await this.authority.permit(authority, 'list-users', { account });
    return { users: await this.users.list(account, after, limit) };
  }
}
