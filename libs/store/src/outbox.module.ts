import type { DynamicModule } from '@nestjs/common';
import { metrics } from '@opentelemetry/api';
import type { Event } from '@skillgate/contracts/define-event';
import { Wire } from '@skillgate/wire/wire';
import type { WireLog } from '@skillgate/wire/wire-log';
import { DataSource } from 'typeorm';
import { OutboxRelay } from './outbox-relay.js';
import { publishOn } from './publish-on.js';

export class OutboxModule {}

/**
 * Relays the outbox of the application's `DataSource` to its `Wire` from start to shutdown. Provides `OutboxRelay`, whose
 * `state` belongs into the service's health.
 *
 * @param emits as in the service's edges: nothing else leaves
 */
export function outboxModule({ emits, log }: { emits: readonly Event[]; log?: WireLog }): DynamicModule {
  const meter = metrics.getMeter('skillgate-store'); // here, where the service that asks is known
  return {
    module: OutboxModule,
    providers: [
      {
        provide: OutboxRelay,
        inject: [DataSource, Wire],
        useFactory: (dataSource: DataSource, wire: Wire) => new OutboxRelay({ dataSource, publish: publishOn(wire, emits), log, meter }),
      },
    ],
    exports: [OutboxRelay],
  };
}
