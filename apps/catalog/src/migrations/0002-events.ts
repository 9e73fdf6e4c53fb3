import { createEntitlements, dropEntitlements } from '@skillgate/store/entitlements-projection';
import { createOutbox, dropOutbox } from '@skillgate/store/outbox-tables';
import { grantToService } from '@skillgate/store/policies';
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Events1764500300000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await createOutbox(runner);
    await createEntitlements(runner);
    // What the registry told of each executor: the profiles in which a tool of it stands approved, alive or not.
    await runner.query(`CREATE TABLE served_profiles (
      executor text PRIMARY KEY,
      profiles text[] NOT NULL,
      approved_at timestamptz NOT NULL)`);
    await grantToService(runner, 'served_profiles', ['SELECT', 'INSERT', 'UPDATE']);
    // Filled once the registry was asked for what it told before this table was there: until then it may know half.
    await runner.query(
      'CREATE TABLE served_profiles_whole (single boolean PRIMARY KEY DEFAULT true CHECK (single), since timestamptz NOT NULL DEFAULT now())',
    );
    await grantToService(runner, 'served_profiles_whole', ['SELECT', 'INSERT']);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE served_profiles_whole, served_profiles');
    await dropEntitlements(runner);
    await dropOutbox(runner);
  }
}
