import { readFile } from 'node:fs/promises';
import { Inject, Module, type DynamicModule } from '@nestjs/common';
import { registryEdges } from '@skillgate/contracts/services/registry';
import { KIT } from '@skillgate/service-kit/inject';
import type { Kit } from '@skillgate/service-kit/service-definition';
import { readIntegrationNames } from '@skillgate/service-kit/integration-names';
import { makeSigner } from '@skillgate/service-kit/signing';
import { storeModule } from '@skillgate/store/data-source';
import { entitlementsModule } from '@skillgate/store/entitlements.module';
import { OutboxRelay } from '@skillgate/store/outbox-relay';
import { describeOutbox } from '@skillgate/store/outbox-state';
import { outboxModule } from '@skillgate/store/outbox.module';
import { DataSource } from 'typeorm';
import { AccountActivation } from './account-activation.js';
import { AccountEntitlements } from './account-entitlements.js';
import { Announcements } from './announcements.js';
import { ApprovalsStore } from './approvals-store.js';
import { ApproveManifest } from './approve-manifest.js';
import { CallGrantsStore } from './call-grants-store.js';
import type { RegistryConfig } from './config.js';
import { GrantTool } from './grant-tool.js';
import { HearExecutors } from './hear-executors.js';
import { PROFILES, SIGNER } from './inject.js';
import { IssueCallGrant } from './issue-call-grant.js';
import { judgeTools } from './judge-tool.js';
import { ListManifests } from './list-manifests.js';
import { ListProfiles } from './list-profiles.js';
import { ListTools } from './list-tools.js';
import { MintCallGrant } from './mint-call-grant.js';
import { PoliciesStore } from './policies-store.js';
import { PresenceStore } from './presence-store.js';
import { PreviewTools } from './preview-tools.js';
import { parseProfiles } from './profiles.js';
import { ResolveTools } from './resolve-tools.js';
import { ServeApproveManifest } from './serve/approve-manifest.js';
import { ServeGrantTool } from './serve/grant-tool.js';
import { ServeListAudit } from './serve/list-audit.js';
import { ServeListManifests } from './serve/list-manifests.js';
import { ServeListProfiles } from './serve/list-profiles.js';
import { ServeListTools } from './serve/list-tools.js';
import { ServeMintCallGrant } from './serve/mint-call-grant.js';
import { ServePreviewTools } from './serve/preview-tools.js';
import { ServePublicKeys } from './serve/public-keys.js';
import { ServeResolveTools } from './serve/resolve-tools.js';
import { ServeSetProfilePolicy } from './serve/set-profile-policy.js';
import { ServeTightenProfilePolicy } from './serve/tighten-profile-policy.js';
import { ServeWithdrawApproval } from './serve/withdraw-approval.js';
import { SetPolicy } from './set-policy.js';
import { ShownTokens } from './shown-tokens.js';
import { registryStore } from './store-definition.js';
import { TellPresence } from './tell-presence.js';

/** Beside the room's README: above `src` and above `dist` alike. */
const shippedProfiles = new URL('../profiles.yaml', import.meta.url);

@Module({})
export class RegistryModule {
  constructor(dataSource: DataSource, outbox: OutboxRelay, @Inject(KIT) kit: Kit) {
    kit.health.add('database', async () => void (await dataSource.query('SELECT 1')));
    kit.health.add('outbox', async () => ({ up: true, detail: describeOutbox(await outbox.state()) }));
  }

  static async on({ config, log, name }: Kit<RegistryConfig>): Promise<DynamicModule> {
    const url = config.SKILLGATE_DATABASE_URL;
    const integrations = readIntegrationNames(config.SKILLGATE_INTEGRATIONS_FILE);
    const profiles = parseProfiles(await readFile(config.SKILLGATE_PROFILES_FILE ?? shippedProfiles, 'utf8'), integrations);
    return {
      module: RegistryModule,
      imports: [
        storeModule({ ...registryStore, url, onIdleError: (err) => log.warn({ err }, 'an idle database connection was lost') }),
        outboxModule({ emits: registryEdges.emits, log }),
        entitlementsModule({ log }),
      ],
      providers: [
        { provide: PROFILES, useValue: profiles },
        { provide: SIGNER, useValue: makeSigner(config.SKILLGATE_SIGNING_KEY, name) },
        { provide: Announcements, useValue: new Announcements((tools) => judgeTools(tools, profiles)) },
        AccountEntitlements,
        AccountActivation,
        ApprovalsStore,
        PoliciesStore,
        ShownTokens,
        PresenceStore,
        TellPresence,
        HearExecutors,
        ResolveTools,
        CallGrantsStore,
        IssueCallGrant,
        MintCallGrant,
        GrantTool,
        ApproveManifest,
        ListManifests,
        ListProfiles,
        ListTools,
        PreviewTools,
        SetPolicy,
      ],
      controllers: [
        ...[ServeResolveTools, ServePreviewTools, ServeMintCallGrant, ServeGrantTool, ServePublicKeys, ServeListManifests, ServeApproveManifest],
        ...[ServeListProfiles, ServeListTools, ServeSetProfilePolicy, ServeTightenProfilePolicy, ServeListAudit, ServeWithdrawApproval],
      ],
    };
  }
}
