import { Inject, Module, type DynamicModule } from '@nestjs/common';
import { accountsEdges } from '@skillgate/contracts/services/accounts';
import { KIT } from '@skillgate/service-kit/inject';
import type { Kit } from '@skillgate/service-kit/service-definition';
import { storeModule } from '@skillgate/store/data-source';
import { OutboxRelay } from '@skillgate/store/outbox-relay';
import { describeOutbox } from '@skillgate/store/outbox-state';
import { outboxModule } from '@skillgate/store/outbox.module';
import { DataSource } from 'typeorm';
import { AccountsStore } from './accounts-store.js';
import type { AccountsConfig } from './config.js';
import { ConfiguredOperator } from './configured-operator.js';
import { KeysStore } from './keys-store.js';
import { ServeAuthenticate } from './serve/authenticate.js';
import { ServeCreateAccount } from './serve/create-account.js';
import { ServeCreateApiKey } from './serve/create-api-key.js';
import { ServeGetAccount } from './serve/get-account.js';
import { ServeGetEntitlements } from './serve/get-entitlements.js';
import { ServeRevokeApiKey } from './serve/revoke-api-key.js';
import { ServeSetIntegration } from './serve/set-integration.js';
import { ServeSetSkillLock } from './serve/set-skill-lock.js';
import { ServeSetSkillState } from './serve/set-skill-state.js';
import { ServeSetTier } from './serve/set-tier.js';
import { accountsStore } from './store-definition.js';

@Module({})
export class AccountsModule {
  constructor(dataSource: DataSource, outbox: OutboxRelay, @Inject(KIT) kit: Kit) {
    kit.health.add('database', async () => void (await dataSource.query('SELECT 1')));
    kit.health.add('outbox', async () => ({ up: true, detail: describeOutbox(await outbox.state()) }));
  }

  static on({ config, log }: Kit<AccountsConfig>): DynamicModule {
    const url = config.SKILLGATE_DATABASE_URL;
    return {
      module: AccountsModule,
      imports: [
        storeModule({ ...accountsStore, url, onIdleError: (err) => log.warn({ err }, 'an idle database connection was lost') }),
        outboxModule({ emits: accountsEdges.emits, log }),
      ],
      providers: [AccountsStore, KeysStore, ConfiguredOperator],
      controllers: [
        ServeAuthenticate,
        ServeGetEntitlements,
        ServeCreateAccount,
        ServeGetAccount,
        ServeSetTier,
        ServeSetIntegration,
        ServeSetSkillState,
        ServeSetSkillLock,
        ServeCreateApiKey,
        ServeRevokeApiKey,
      ],
    };
  }
}
