import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { CONFIG, LOG } from '@skillgate/service-kit/inject';
import type { Log } from '@skillgate/service-kit/log';
import type { AccountsConfig } from './config.js';
import { markOf } from './api-key.js';
import { OperatorStore } from './operator-store.js';

/** At boot: the operator's account with the key that the configuration names. Any number of replicas may do it at once. */
@Injectable()
export class ConfiguredOperator implements OnModuleInit {
  constructor(
    private readonly operator: OperatorStore,
    @Inject(CONFIG) private readonly config: AccountsConfig,
    @Inject(LOG) private readonly log: Log,
  ) {}

  async onModuleInit(): Promise<void> {
    const secret = this.config.SKILLGATE_OPERATOR_KEY;
    if (!secret) return;
    const { account, key } = await this.operator.ensure(markOf(secret));
    if (key === 'opens') this.log.info({ account }, 'the operator account has the configured key');
    if (key === 'repaired') this.log.warn({ account }, 'nobody could run this platform: the configured key is an operator again');
    if (key === 'shut') {
      this.log.warn({ account }, 'SKILLGATE_OPERATOR_KEY does not run the platform: somebody took its role. Ask another operator, or set a new key');
    }
  }
}
