import { Controller } from '@nestjs/common';
import { updateUser } from '@skillgate/contracts/calls/users';
import type { CallAnswer, CallParsedInput } from '@skillgate/contracts/define-call';
import { Serves } from '@skillgate/wire/serve';
import { Authority } from '../authority.js';
import { UsersStore } from '../users-store.js';

@Controller()
export class ServeUpdateUser {
  constructor(
    private readonly users: UsersStore,
    private readonly authority: Authority,
  ) {}

  @Serves(updateUser)
  async updateUser(input: CallParsedInput<typeof updateUser>): Promise<CallAnswer<typeof updateUser>> {
    const { authority, account, user, ...change } = input;
    const actor = await this.authority.permit(authority, 'update-user', { account, user });
    return this.users.update(account, user, change, actor);
  }
}
