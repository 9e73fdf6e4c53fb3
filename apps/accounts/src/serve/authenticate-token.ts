import { Controller, Inject } from '@nestjs/common';
import { authenticateToken } from '@skillgate/contracts/calls/accounts';
import type { CallParsedInput } from '@skillgate/contracts/define-call';
import { CONFIG, LOG } from '@skillgate/service-kit/inject';
import type { Log } from '@skillgate/service-kit/log';
import { Serves } from '@skillgate/wire/serve';
import type { AccountsConfig } from '../config.js';
import { TokenUsers, type TokenPrincipal } from '../token-users.js';
import { makeTokenVerifier } from '../verify-token.js';

@Controller()
export class ServeAuthenticateToken {
  private readonly verify: ReturnType<typeof makeTokenVerifier>;

  constructor(
    private readonly users: TokenUsers,
    @Inject(CONFIG) config: AccountsConfig,
    @Inject(LOG) log: Log,
  ) {
    this.verify = makeTokenVerifier(config.SKILLGATE_OIDC_ISSUERS, (why) => log.info(why, 'a token was refused'));
  }

  @Serves(authenticateToken)
  async authenticateToken({ token }: CallParsedInput<typeof authenticateToken>): Promise<TokenPrincipal> {
    return this.users.principalOf(await this.verify(token));
  }
}
