import { createOutbox, dropOutbox } from '@skillgate/store/outbox-tables';
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Outbox1764500300000 implements MigrationInterface {
  up(runner: QueryRunner): Promise<void> {
    return createOutbox(runner);
  }

  down(runner: QueryRunner): Promise<void> {
    return dropOutbox(runner);
  }
}
