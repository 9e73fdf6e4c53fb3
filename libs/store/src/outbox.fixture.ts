import { defineEvent } from '@skillgate/contracts/define-event';
import { edgesOf } from '@skillgate/contracts/service-edges';
import { accountId } from '@skillgate/contracts/words';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { z } from 'zod';
import { grantToService } from './policies.js';
import { createInbox, createOutbox } from './outbox-tables.js';
import type { StoreDefinition } from './store-definition.js';

/** What happens in the smallest service with events: a counter of an account moved on. */
export const counted = defineEvent(
  'event.v1.counters.counted',
  z.object({ account: accountId, n: z.number().int(), text: z.string().optional() }),
);

class CreateCounters1700000000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE TABLE counters (id text PRIMARY KEY, n int NOT NULL)');
    await grantToService(runner, 'counters');
    await createOutbox(runner);
    await createInbox(runner);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE counters');
  }
}

export const countersStore: StoreDefinition = { schema: 'counters', migrations: [CreateCounters1700000000001], entities: [] };

export const countersEdges = edgesOf({ service: 'counters', serves: [], calls: [], emits: [counted], hears: [] });
export const readerEdges = edgesOf({ service: 'reader', serves: [], calls: [], emits: [], hears: [counted], watches: [counted] });
