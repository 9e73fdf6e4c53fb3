import { Inject, Module, type DynamicModule } from '@nestjs/common';
import { KIT } from '@skillgate/service-kit/inject';
import type { Kit } from '@skillgate/service-kit/service-definition';
import { makeSigner } from '@skillgate/service-kit/signing';
import { storeModule } from '@skillgate/store/data-source';
import { DataSource } from 'typeorm';
import { ROOM, type CatalogRoom } from './catalog-room.js';
import { ticketCheck } from './check-ticket.js';
import type { CatalogConfig } from './config.js';
import { KnownEntitlements } from './known-entitlements.js';
import { publishSkills } from './publish-skills.js';
import { ServeExplainSkills } from './serve/explain-skills.js';
import { ServeListSkills } from './serve/list-skills.js';
import { ServeLoadSkill } from './serve/load-skill.js';
import { ServeMeasureMonolith } from './serve/measure-monolith.js';
import { ServePrepareTurn } from './serve/prepare-turn.js';
import { ServePublicKeys } from './serve/public-keys.js';
import { ShelfKeeper } from './shelf-keeper.js';
import { SkillStore } from './skill-store.js';
import { catalogStore } from './store-definition.js';

@Module({})
export class CatalogModule {
  constructor(dataSource: DataSource, @Inject(KIT) kit: Kit) {
    kit.health.add('database', async () => void (await dataSource.query('SELECT 1')));
  }

  static on(kit: Kit<CatalogConfig & Kit['config']>): DynamicModule {
    const url = kit.config.SKILLGATE_DATABASE_URL;
    return {
      module: CatalogModule,
      imports: [storeModule({ ...catalogStore, url, onIdleError: (err) => kit.log.warn({ err }, 'an idle database connection was lost') })],
      controllers: [ServePrepareTurn, ServeLoadSkill, ServeExplainSkills, ServeListSkills, ServeMeasureMonolith, ServePublicKeys],
      providers: [{ provide: ROOM, inject: [DataSource], useFactory: (dataSource: DataSource) => furnish(kit, dataSource) }],
    };
  }
}

/** Nothing is served before what lies in the skills directory is in the catalog. */
async function furnish({ config, wire, log }: Kit<CatalogConfig & Kit['config']>, dataSource: DataSource): Promise<CatalogRoom> {
  const store = new SkillStore(dataSource);
  await publishSkills(store, config.SKILLGATE_SKILLS_DIR, log);
  return {
    store,
    shelf: new ShelfKeeper(store),
    entitlements: new KnownEntitlements(wire),
    signer: makeSigner(config.SKILLGATE_SIGNING_KEY, 'catalog'),
    checkTicket: ticketCheck(wire),
  };
}
