import { Inject, Module, type DynamicModule } from '@nestjs/common';
import { KIT } from '@skillgate/service-kit/inject';
import type { Kit } from '@skillgate/service-kit/service-definition';
import { storeModule } from '@skillgate/store/data-source';
import { DataSource } from 'typeorm';
import { ArtifactStore } from './artifact-store.js';
import { Authorities } from './authority.js';
import type { ArtifactsConfig } from './config.js';
import { HearChats } from './hear-chats.js';
import { ROOM, type Room } from './room.js';
import { ServeBegin } from './serve/begin.js';
import { ServeFinish } from './serve/finish.js';
import { ServeList } from './serve/list.js';
import { ServeReadPiece } from './serve/read-piece.js';
import { ServeStat } from './serve/stat.js';
import { ServeWritePiece } from './serve/write-piece.js';
import { artifactsStore } from './store-definition.js';
import { Sweeper } from './sweeper.js';

@Module({})
export class ArtifactsModule {
  constructor(dataSource: DataSource, @Inject(KIT) kit: Kit) {
    kit.health.add('database', async () => void (await dataSource.query('SELECT 1')));
  }

  static on(kit: Kit<ArtifactsConfig & Kit['config']>): DynamicModule {
    const url = kit.config.SKILLGATE_DATABASE_URL;
    return {
      module: ArtifactsModule,
      imports: [
        storeModule({ ...artifactsStore, url, onIdleError: (err) => kit.log.warn({ err }, 'an idle database connection was lost') }),
      ],
      controllers: [ServeBegin, ServeWritePiece, ServeFinish, ServeStat, ServeReadPiece, ServeList, HearChats],
      providers: [{ provide: ROOM, inject: [DataSource], useFactory: (dataSource: DataSource) => furnish(kit, dataSource) }, Sweeper],
    };
  }
}

const furnish = async ({ wire, log }: Kit, dataSource: DataSource): Promise<Room> => ({
  store: new ArtifactStore(dataSource),
  bucket: await wire.bucket('artifacts'),
  authorities: new Authorities(wire),
  log,
});
