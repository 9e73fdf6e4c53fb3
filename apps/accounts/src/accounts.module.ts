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
import { Authority } from './authority.js';
import type { AccountsConfig } from './config.js';
import { ConfiguredOperator } from './configured-operator.js';
import { FollowTiers } from './follow-tiers.js';
import { integrationParts } from './integrations/integration-parts.js';
import { KeysStore } from './keys-store.js';
import { BulkStatesStore } from './bulk-states-store.js';
import { PersonasStore } from './personas-store.js';
import { OperatorStore } from './operator-store.js';
import { ServeAuthenticate } from './serve/authenticate.js';
import { ServeAuthenticateToken } from './serve/authenticate-token.js';
import { ServeCreateAccount } from './serve/create-account.js';
import { ServeCreateApiKey } from './serve/create-api-key.js';
import { ServeCreateUser } from './serve/create-user.js';
import { ServeDeleteTier } from './serve/delete-tier.js';
import { ServeGetAccount } from './serve/get-account.js';
import { ServeGetEntitlements } from './serve/get-entitlements.js';
import { ServeListAccounts } from './serve/list-accounts.js';
import { ServeListApiKeys } from './serve/list-api-keys.js';
import { ServeListAudit } from './serve/list-audit.js';
import { ServeListTiers } from './serve/list-tiers.js';
import { ServeListUsers } from './serve/list-users.js';
import { ServePutTier } from './serve/put-tier.js';
import { ServeRevokeApiKey } from './serve/revoke-api-key.js';
import { ServeRevokeUser } from './serve/revoke-user.js';
import { ServeSetCapabilities } from './serve/set-capabilities.js';
import { ServeSetIntegration } from './serve/set-integration.js';
import { ServeSetLimits } from './serve/set-limits.js';
import { ServeSetSkillLock } from './serve/set-skill-lock.js';
import { ServeSetSkillState } from './serve/set-skill-state.js';
import { ServeSetTier } from './serve/set-tier.js';
import { ServeUpdateUser } from './serve/update-user.js';
import { accountsStore } from './store-definition.js';
import { ServeCreatePersona } from './serve/create-persona.js';
import { ServeGetPersona } from './serve/get-persona.js';
import { ServeListPersonas } from './serve/list-personas.js';
import { ServeRetirePersona } from './serve/retire-persona.js';
import { ServeSetSkillLocks } from './serve/set-skill-locks.js';
import { ServeSetSkillStates } from './serve/set-skill-states.js';
import { ServeUpdatePersona } from './serve/update-persona.js';
import { TiersStore } from './tiers-store.js';
import { TokenUsers } from './token-users.js';
import { UsersStore } from './users-store.js';

@Module({})
export class AccountsModule {
  constructor(dataSource: DataSource, outbox: OutboxRelay, @Inject(KIT) kit: Kit) {
    kit.health.add('database', async () => void (await dataSource.query('SELECT 1')));
    kit.health.add('outbox', async () => ({ up: true, detail: describeOutbox(await outbox.state()) }));
  }

  static async on(kit: Kit<AccountsConfig>): Promise<DynamicModule> {
    const { config, log } = kit;
    const integrations = await integrationParts(kit);
    const url = config.SKILLGATE_DATABASE_URL;
    return {
      module: AccountsModule,
      imports: [
        storeModule({ ...accountsStore, url, onIdleError: (err) => log.warn({ err }, 'an idle database connection was lost') }),
        outboxModule({ emits: accountsEdges.emits, log }),
      ],
      providers: [
        ...[Authority, AccountsStore, TiersStore, UsersStore, KeysStore, TokenUsers, OperatorStore, PersonasStore, BulkStatesStore],
        ...[ConfiguredOperator, FollowTiers],
        ...integrations.providers,
      ],
      controllers: [
        ServeAuthenticate,
        ServeAuthenticateToken,
        ServeCreateAccount,
        ServeCreateApiKey,
        ServeCreateUser,
        ServeDeleteTier,
        ServeGetAccount,
        ServeGetEntitlements,
        ServeListAccounts,
        ServeListApiKeys,
        ServeListAudit,
        ServeListTiers,
        ServeListUsers,
        ServePutTier,
        ServeRevokeApiKey,
        ServeRevokeUser,
        ServeSetCapabilities,
        ServeSetIntegration,
        ServeSetLimits,
        ServeSetSkillLock,
        ServeSetSkillState,
        ServeSetTier,
        ServeUpdateUser,
        ServeSetSkillStates,
        ServeSetSkillLocks,
        ServeCreatePersona,
        ServeUpdatePersona,
        ServeRetirePersona,
        ServeListPersonas,
        ServeGetPersona,
        ...integrations.controllers,
      ],
    };
  }
}
