import { createOutbox, dropOutbox } from '@skillgate/store/outbox-tables';
import { acrossSetting } from '@skillgate/store/policies';
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Outbox1764500300000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await createOutbox(runner);

    // Rights that change by SQL, as by an operator's migration of a tier, tell no event. Raising the epoch makes every reader
    // that is shown a ticket of later read the account anew; without it a projection would keep the old rights for good.
    await runner.query(`CREATE FUNCTION raise_epoch_of_tier() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM set_config('${acrossSetting}', 'on', true);
        UPDATE accounts SET policy_epoch = policy_epoch + 1 WHERE tier = NEW.name;
        PERFORM set_config('${acrossSetting}', '', true);
        RETURN NULL;
      END $$`);
    await runner.query(`CREATE TRIGGER raise_epoch AFTER UPDATE ON tiers FOR EACH ROW
      WHEN (OLD.capabilities IS DISTINCT FROM NEW.capabilities) EXECUTE FUNCTION raise_epoch_of_tier()`);
    await runner.query(`CREATE FUNCTION raise_epoch_of_account() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        NEW.policy_epoch := greatest(NEW.policy_epoch, OLD.policy_epoch + 1);
        RETURN NEW;
      END $$`);
    await runner.query(`CREATE TRIGGER raise_epoch BEFORE UPDATE ON accounts FOR EACH ROW
      WHEN (OLD.extra_capabilities IS DISTINCT FROM NEW.extra_capabilities) EXECUTE FUNCTION raise_epoch_of_account()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TRIGGER raise_epoch ON accounts');
    await runner.query('DROP TRIGGER raise_epoch ON tiers');
    await runner.query('DROP FUNCTION raise_epoch_of_account, raise_epoch_of_tier');
    await dropOutbox(runner);
  }
}
