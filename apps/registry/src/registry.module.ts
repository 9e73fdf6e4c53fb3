import { readFile } from 'node:fs/promises';
import { Inject, Module, type DynamicModule } from '@nestjs/common';
import { KIT } from '@skillgate/service-kit/inject';
import type { Kit } from '@skillgate/service-kit/service-definition';
import { makeSigner } from '@skillgate/service-kit/signing';
import { storeModule } from '@skillgate/store/data-source';
import { DataSource } from 'typeorm';
import { AccountEntitlements } from './account-entitlements.js';
import { Announcements } from './announcements.js';
import { ApprovalsStore } from './approvals-store.js';
import { ApproveManifest } from './approve-manifest.js';
import type { RegistryConfig } from './config.js';
import { HearExecutors } from './hear-executors.js';
import { PROFILES, SIGNER } from './inject.js';
import { judgeTools } from './judge-tool.js';
import { ListManifests } from './list-manifests.js';
import { ListProfiles } from './list-profiles.js';
import { parseProfiles } from './profiles.js';
import { ResolveTools } from './resolve-tools.js';
import { ServeApproveManifest } from './serve/approve-manifest.js';
import { ServeListManifests } from './serve/list-manifests.js';
import { ServeListProfiles } from './serve/list-profiles.js';
import { ServePublicKeys } from './serve/public-keys.js';
import { ServeResolveTools } from './serve/resolve-tools.js';
import { ShownTokens } from './shown-tokens.js';
import { registryStore } from './store-definition.js';

/** Beside the room's README: above `src` and above `dist` alike. */
const shippedProfiles = new URL('../profiles.yaml', import.meta.url);

@Module({})
export class RegistryModule {
  constructor(dataSource: DataSource, @Inject(KIT) kit: Kit) {
    kit.health.add('database', async () => void (await dataSource.query('SELECT 1')));
  }

  static async on({ config, log, name }: Kit<RegistryConfig>): Promise<DynamicModule> {
    const url = config.SKILLGATE_DATABASE_URL;
    const profiles = parseProfiles(await readFile(config.SKILLGATE_PROFILES_FILE ?? shippedProfiles, 'utf8'));
    return {
      module: RegistryModule,
      imports: [storeModule({ ...registryStore, url, onIdleError: (err) => log.warn({ err }, 'an idle database connection was lost') })],
      providers: [
        { provide: PROFILES, useValue: profiles },
        { provide: SIGNER, useValue: makeSigner(config.SKILLGATE_SIGNING_KEY, name) },
        { provide: Announcements, useValue: new Announcements((tools) => judgeTools(tools, profiles)) },
        AccountEntitlements,
        ApprovalsStore,
        ShownTokens,
        HearExecutors,
        ResolveTools,
        ApproveManifest,
        ListManifests,
        ListProfiles,
      ],
      controllers: [ServeResolveTools, ServePublicKeys, ServeListManifests, ServeApproveManifest, ServeListProfiles],
    };
  }
}
