import { Controller } from '@nestjs/common';
import { revokeUser } from '@skillgate/contracts/calls/users';
import type { CallAnswer, CallParsedInput } from '@skillgate/contracts/define-call';
import { Serves } from '@skillgate/wire/serve';
import { Authority } from '../authority.js';
import { UsersStore } from '../users-store.js';

@Controller()
export class ServeRevokeUser {
  constructor(
    private readonly users: UsersStore,
    private readonly authority: Authority,
  ) {}

  @Serves(revokeUser)
  async revokeUser({ authority, account, user }: CallParsedInput<typeof revokeUser>): Promise<CallAnswer<typeof revokeUser>> {
    const actor = await this.authority.permit(authority, 'revoke-user', { account, user });
    await this.users.revoke(account, user, actor);
    return { id: user, revoked: true };
  }
}
