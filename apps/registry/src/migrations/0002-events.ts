import { createEntitlements, dropEntitlements } from '@skillgate/store/entitlements-projection';
import { createOutbox, dropOutbox } from '@skillgate/store/outbox-tables';
import { grantToService } from '@skillgate/store/policies';
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Events1764500300000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await createOutbox(runner);
    await createEntitlements(runner);
    // What the house was last told of each executor: replicas agree here on who tells the next coming or going.
    await runner.query(`CREATE TABLE executors (
      executor text PRIMARY KEY,
      here boolean NOT NULL,
      version text NOT NULL,
      since timestamptz NOT NULL DEFAULT now())`);
    await grantToService(runner, 'executors', ['SELECT', 'INSERT', 'UPDATE']);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE executors');
    await dropEntitlements(runner);
    await dropOutbox(runner);
  }
}
