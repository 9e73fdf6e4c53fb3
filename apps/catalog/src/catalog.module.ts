import { Inject, Module, type DynamicModule } from '@nestjs/common';
import { listProfiles } from '@skillgate/contracts/calls/registry';
import { unavailable } from '@skillgate/contracts/refusal';
import { catalogEdges } from '@skillgate/contracts/services/catalog';
import { KIT } from '@skillgate/service-kit/inject';
import { readIntegrationNames } from '@skillgate/service-kit/integration-names';
import type { Kit } from '@skillgate/service-kit/service-definition';
import { makeSigner } from '@skillgate/service-kit/signing';
import { storeModule } from '@skillgate/store/data-source';
import { EntitlementsProjection } from '@skillgate/store/entitlements-projection';
import { entitlementsModule } from '@skillgate/store/entitlements.module';
import { OutboxRelay } from '@skillgate/store/outbox-relay';
import { describeOutbox } from '@skillgate/store/outbox-state';
import { outboxModule } from '@skillgate/store/outbox.module';
import { DataSource } from 'typeorm';
import { AccountShelves } from './account-shelves.js';
import { AccountSkillStore } from './account-skill-store.js';
import { ROOM, type CatalogRoom } from './catalog-room.js';
import { ticketCheck } from './check-ticket.js';
import { ChatSkillsStore } from './chat-skills-store.js';
import type { CatalogConfig } from './config.js';
import { HearApprovals } from './hear-approvals.js';
import { HearChats } from './hear-chats.js';
import { PublicationStore } from './publication-store.js';
import { publishSkills } from './publish-skills.js';
import { ServeExplainSkills } from './serve/explain-skills.js';
import { ServeGetChatSkills } from './serve/get-chat-skills.js';
import { ServeListAudit } from './serve/list-audit.js';
import { ServeListSkills } from './serve/list-skills.js';
import { ServeSearchSkills } from './serve/search-skills.js';
import { ServeLoadSkill } from './serve/load-skill.js';
import { ServeMeasureMonolith } from './serve/measure-monolith.js';
import { ServePrepareTurn } from './serve/prepare-turn.js';
import { ServePreviewEntries } from './serve/preview-entries.js';
import { ServePublicKeys } from './serve/public-keys.js';
import { ServeSetChatSkills } from './serve/set-chat-skills.js';
import { ServePublishSkills } from './serve/publish-skills.js';
import { ServeRetireSkill } from './serve/retire-skill.js';
import { ServeMakeCurrent } from './serve/make-current.js';
import { ServeListVersions } from './serve/list-versions.js';
import { ServeReadVersion } from './serve/read-version.js';
import { ServeReadVersionFile } from './serve/read-version-file.js';
import { ServeSetUpdatePolicy } from './serve/set-update-policy.js';
import { ServeValidateSkills } from './serve/validate-skills.js';
import { ServeSaveAccountSkill } from './serve/save-account-skill.js';
import { ServeSubmitAccountSkill } from './serve/submit-account-skill.js';
import { ServeReviewAccountSkill } from './serve/review-account-skill.js';
import { ServeRetireAccountSkill } from './serve/retire-account-skill.js';
import { ServeListAccountSkills } from './serve/list-account-skills.js';
import { ServeReadSkillFile } from './serve/read-skill-file.js';
import { ServedProfiles } from './served-profiles.js';
import { ServedStore } from './served-store.js';
import { ShelfKeeper } from './shelf-keeper.js';
import { SkillStore } from './skill-store.js';
import { catalogStore } from './store-definition.js';
import { WarnOfBreaches } from './warn-of-breaches.js';

@Module({})
export class CatalogModule {
  constructor(dataSource: DataSource, outbox: OutboxRelay, @Inject(ROOM) { served }: CatalogRoom, @Inject(KIT) kit: Kit) {
    kit.health.add('database', async () => void (await dataSource.query('SELECT 1')));
    kit.health.add('outbox', async () => ({ up: true, detail: describeOutbox(await outbox.state()) }));
    kit.health.add('served profiles', () => ({ up: true, detail: served.detail() }));
  }

  static on(kit: Kit<CatalogConfig & Kit['config']>): DynamicModule {
    const url = kit.config.SKILLGATE_DATABASE_URL;
    return {
      module: CatalogModule,
      imports: [
        storeModule({ ...catalogStore, url, onIdleError: (err) => kit.log.warn({ err }, 'an idle database connection was lost') }),
        outboxModule({ emits: catalogEdges.emits, log: kit.log }),
        entitlementsModule({ log: kit.log }),
      ],
      controllers: [
        HearApprovals,
        HearChats,
        ServePrepareTurn,
        ServeLoadSkill,
        ServeSearchSkills,
        ServeExplainSkills,
        ServePreviewEntries,
        ServeGetChatSkills,
        ServeSetChatSkills,
        ServeListSkills,
        ServeListAudit,
        ServeMeasureMonolith,
        ServePublishSkills,
        ServeValidateSkills,
        ServeRetireSkill,
        ServeMakeCurrent,
        ServeListVersions,
        ServeReadVersion,
        ServeReadVersionFile,
        ServeSetUpdatePolicy,
        ServeSaveAccountSkill,
        ServeSubmitAccountSkill,
        ServeReviewAccountSkill,
        ServeRetireAccountSkill,
        ServeListAccountSkills,
        ServeReadSkillFile,
        ServePublicKeys,
      ],
      providers: [
        WarnOfBreaches,
        {
          provide: ROOM,
          inject: [DataSource, EntitlementsProjection],
          useFactory: (dataSource: DataSource, entitlements: EntitlementsProjection) => furnish(kit, dataSource, entitlements),
        },
      ],
    };
  }
}

/** Milliseconds that a turn waits for the registry to say what it told before this catalog was there. */
const askMs = 1_000;

/** Nothing is served before what lies in the skills directory is in the catalog. */
async function furnish(
  { config, wire, log }: Kit<CatalogConfig & Kit['config']>,
  dataSource: DataSource,
  entitlements: EntitlementsProjection,
): Promise<CatalogRoom> {
  const store = new SkillStore(dataSource);
  const integrations = readIntegrationNames(config.SKILLGATE_INTEGRATIONS_FILE);
  await publishSkills(store, config.SKILLGATE_SKILLS_DIR, log, integrations);
  const shelf = new ShelfKeeper(store);
  const accountSkills = new AccountSkillStore(dataSource);
  const shelves = new AccountShelves(shelf, accountSkills);
  const askServed = async () => {
    const { served } = await wire.call(listProfiles, {}, { deadlineMs: askMs });
    if (!served) throw unavailable('registry-too-old', 'The registry does not say what it approved; bring it up to date.');
    return served;
  };
  return {
    store,
    shelf,
    shelfOf: shelves.of.bind(shelves),
    publication: new PublicationStore(dataSource),
    accountSkills,
    entitlements,
    served: new ServedProfiles(new ServedStore(dataSource), askServed, log),
    signer: makeSigner(config.SKILLGATE_SIGNING_KEY, 'catalog'),
    checkTicket: ticketCheck(wire),
    chats: new ChatSkillsStore(dataSource),
    ask: wire.call.bind(wire),
    integrations,
    alwaysBudget: config.SKILLGATE_ALWAYS_TOKENS,
  };
}
