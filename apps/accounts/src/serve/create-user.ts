import { Controller } from '@nestjs/common';
import { createUser } from '@skillgate/contracts/calls/users';
import type { CallAnswer, CallParsedInput } from '@skillgate/contracts/define-call';
import { Serves } from '@skillgate/wire/serve';
import { Authority } from '../authority.js';
import { UsersStore } from '../users-store.js';

@Controller()
export class ServeCreateUser {
  constructor(
    private readonly users: UsersStore,
    private readonly authority: Authority,
  ) {}

  @Serves(createUser)
  async createUser(input: CallParsedInput<typeof createUser>): Promise<CallAnswer<typeof createUser>> {
    const { authority, identity, ...user } = input;
    const actor = await this.authority.permit(authority, 'create-user', { account: user.account });
    return this.users.create(user, identity, actor);
  }
}
