import type { DynamicModule } from '@nestjs/common';
import { LOG } from '@skillgate/service-kit/inject';
import type { Log } from '@skillgate/service-kit/log';
import { storeModule } from '@skillgate/store/data-source';
import { Wire } from '@skillgate/wire/wire';
import { DataSource } from 'typeorm';
import { ArtifactStore } from './artifact-store.js';
import { Authorities } from './authority.js';
import { ROOM, type Room } from './room.js';
import { ServeBegin } from './serve/begin.js';
import { ServeFinish } from './serve/finish.js';
import { ServeList } from './serve/list.js';
import { ServeReadPiece } from './serve/read-piece.js';
import { ServeStat } from './serve/stat.js';
import { ServeWritePiece } from './serve/write-piece.js';
import { artifactsStore } from './store-definition.js';
import { Sweeper } from './sweeper.js';

/** `LOG` and `Wire` come from the service kit. */
export class ArtifactsModule {
  static make(databaseUrl: string): DynamicModule {
    return {
      module: ArtifactsModule,
      imports: [storeModule({ ...artifactsStore, url: databaseUrl })],
      controllers: [ServeBegin, ServeWritePiece, ServeFinish, ServeStat, ServeReadPiece, ServeList],
      providers: [
        {
          provide: ROOM,
          inject: [DataSource, Wire, LOG],
          useFactory: async (dataSource: DataSource, wire: Wire, log: Log): Promise<Room> => ({
            store: new ArtifactStore(dataSource),
            bucket: await wire.bucket('artifacts'),
            authorities: new Authorities(wire),
            log,
          }),
        },
        Sweeper,
      ],
    };
  }
}
