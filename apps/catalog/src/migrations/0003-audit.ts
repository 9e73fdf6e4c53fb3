import { createAudit, dropAudit } from '@skillgate/store/audit-tables';
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Audit1764600300000 implements MigrationInterface {
  up(runner: QueryRunner): Promise<void> {
    return createAudit(runner);
  }

  down(runner: QueryRunner): Promise<void> {
    return dropAudit(runner);
  }
}
