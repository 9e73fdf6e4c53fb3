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
    const account = await this.operator.ensure(markOf(secret));
    this.log.info({ account }, 'the operator account has the configured key');
  }
}
