import type { DynamicModule } from '@nestjs/common';
import { getEntitlements } from '@skillgate/contracts/calls/accounts';
import { Wire } from '@skillgate/wire/wire';
import { stderrLog, type WireLog } from '@skillgate/wire/wire-log';
import { DataSource } from 'typeorm';
import { EntitlementsProjection } from './entitlements-projection.js';
import { HEARING_LOG, HearEntitlements } from './hear-entitlements.js';

export class EntitlementsModule {}

/**
 * Provides `EntitlementsProjection` for a service whose edges call `accounts.get-entitlements`, and hear and watch
 * `accounts.entitlements-changed`. Its migrations call `createEntitlements`.
 */
export const entitlementsModule = ({ log = stderrLog }: { log?: WireLog } = {}): DynamicModule => ({
  module: EntitlementsModule,
  controllers: [HearEntitlements],
  providers: [
    { provide: HEARING_LOG, useValue: log },
    {
      provide: EntitlementsProjection,
      inject: [DataSource, Wire],
      useFactory: (dataSource: DataSource, wire: Wire) =>
        new EntitlementsProjection(dataSource, (account, minEpoch) => wire.call(getEntitlements, { account, minEpoch })),
    },
  ],
  exports: [EntitlementsProjection],
});
