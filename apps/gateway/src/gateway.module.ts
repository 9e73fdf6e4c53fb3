import { Module, type DynamicModule } from '@nestjs/common';
import { APP_FILTER, APP_GUARD } from '@nestjs/core';
import { CONFIG, LOG } from '@skillgate/service-kit/inject';
import type { Log } from '@skillgate/service-kit/log';
import { makeSigner, type Signer } from '@skillgate/service-kit/signing';
import { Wire } from '@skillgate/wire/wire';
import { AccessGuard } from './access/access-guard.js';
import { Authenticator } from './access/authenticate.js';
import { RequestLimits } from './access/request-limits.js';
import { ChatController } from './chat/chat.controller.js';
import { ModelsController } from './chat/models.controller.js';
import type { TurnHouse } from './chat/turn-house.js';
import { TurnStreamController } from './chat/turn-stream.controller.js';
import type { GatewayConfig } from './config.js';
import { ErrorFilter } from './errors/error-filter.js';
import { AccountIntegrationsController } from './rest/account-integrations.controller.js';
import { AccountSkillsController } from './rest/account-skills.controller.js';
import { AccountsController } from './rest/accounts.controller.js';
import { ApprovalsController } from './rest/approvals.controller.js';
import { ArtifactsController } from './rest/artifacts.controller.js';
import { AuditController } from './rest/audit.controller.js';
import { CallbackController } from './rest/callback.controller.js';
import { ChatsController } from './rest/chats.controller.js';
import { CredentialsController } from './rest/credentials.controller.js';
import { ExplainController } from './rest/explain.controller.js';
import { HouseCalls } from './rest/house-calls.js';
import { IntegrationsController } from './rest/integrations.controller.js';
import { KeysController } from './rest/keys.controller.js';
import { LocksController } from './rest/locks.controller.js';
import { MeController } from './rest/me.controller.js';
import { NamedSkills } from './rest/named-skills.js';
import { PersonasController } from './rest/personas.controller.js';
import { ToolsController } from './rest/tools.controller.js';
import { ProfilesController } from './rest/profiles.controller.js';
import { RegistryController } from './rest/registry.controller.js';
import { SkillVersionsController } from './rest/skill-versions.controller.js';
import { SkillsController } from './rest/skills.controller.js';
import { TiersController } from './rest/tiers.controller.js';
import { TurnsController } from './rest/turns.controller.js';
import { UserChatsController } from './rest/user-chats.controller.js';
import { UsersController } from './rest/users.controller.js';
import { ServePublicKeys } from './serve/public-keys.js';
import { SIGNER, TURN_HOUSE } from './tokens.js';

export const httpControllers = [
  ChatController,
  ModelsController,
  TurnStreamController,
  TurnsController,
  ApprovalsController,
  ArtifactsController,
  MeController,
  SkillsController,
  SkillVersionsController,
  AccountSkillsController,
  ExplainController,
  PersonasController,
  ChatsController,
  UserChatsController,
  AccountsController,
  UsersController,
  KeysController,
  LocksController,
  CallbackController, // before what has a parameter in its place
  IntegrationsController,
  AccountIntegrationsController,
  TiersController,
  CredentialsController,
  AuditController,
  ProfilesController,
  ToolsController,
  RegistryController,
];

/** `CONFIG`, `LOG` and `Wire` come from the service kit. */
@Module({})
export class GatewayModule {
  static make(): DynamicModule {
    return {
      module: GatewayModule,
      controllers: [...httpControllers, ServePublicKeys],
      providers: [
        {
          provide: SIGNER,
          inject: [CONFIG],
          useFactory: ({ SKILLGATE_SIGNING_KEY }: GatewayConfig) => makeSigner(SKILLGATE_SIGNING_KEY, 'gateway'),
        },
        {
          provide: TURN_HOUSE,
          inject: [Wire, SIGNER, CONFIG, LOG],
          useFactory: (wire: Wire, signer: Signer, config: GatewayConfig, log: Log): TurnHouse => ({
            ...{ wire, signer, config, log },
            queues: new Set(),
          }),
        },
        { provide: Authenticator, inject: [Wire], useFactory: (wire: Wire) => new Authenticator(wire) },
        {
          provide: RequestLimits,
          inject: [CONFIG],
          useFactory: (config: GatewayConfig) =>
            new RequestLimits(config.SKILLGATE_REQUESTS_A_MINUTE_KEY, config.SKILLGATE_REQUESTS_A_MINUTE_ACCOUNT),
        },
        HouseCalls,
        NamedSkills,
        { provide: APP_GUARD, useClass: AccessGuard },
        { provide: APP_FILTER, useClass: ErrorFilter },
      ],
    };
  }
}
