import { acrossAccounts, acrossSetting, createIdFunction, grantToService } from '@skillgate/store/policies';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const unlimited = `'{"turnsPerDay":null,"tokensPerDay":null,"parallelTurns":null}'`;

/**
 * Tiers that operators define while the house runs. An account points at a version of its tier, so that facts and epoch move
 * together in the account's own transaction, however many accounts a changed tier has.
 */
export class Tiers1764600100000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TRIGGER raise_epoch ON tiers');
    await runner.query('DROP FUNCTION raise_epoch_of_tier');

    await runner.query(`ALTER TABLE tiers ADD limits jsonb NOT NULL DEFAULT ${unlimited}, ADD revision int NOT NULL DEFAULT 1`);
    await runner.query(`UPDATE tiers SET limits = '{"turnsPerDay":200,"tokensPerDay":2000000,"parallelTurns":4}' WHERE name = 'free'`);
    await runner.query(`UPDATE tiers SET limits = '{"turnsPerDay":5000,"tokensPerDay":50000000,"parallelTurns":32}' WHERE name = 'pro'`);
    await runner.query(`CREATE TABLE tier_versions (
      name text NOT NULL REFERENCES tiers ON DELETE CASCADE,
      revision int NOT NULL,
      capabilities text[] NOT NULL,
      limits jsonb NOT NULL,
      PRIMARY KEY (name, revision))`);
    await runner.query('INSERT INTO tier_versions SELECT name, revision, capabilities, limits FROM tiers');
    await grantToService(runner, 'tiers', ['INSERT', 'UPDATE', 'DELETE']);
    await grantToService(runner, 'tier_versions', ['SELECT']);

    await runner.query(`ALTER TABLE accounts ADD tier_revision int NOT NULL DEFAULT 1, ADD limit_overrides jsonb NOT NULL DEFAULT '{}'`);
    await runner.query('ALTER TABLE accounts ALTER tier_revision DROP DEFAULT');
    await runner.query('ALTER TABLE accounts ADD FOREIGN KEY (tier, tier_revision) REFERENCES tier_versions');
    await runner.query('CREATE INDEX accounts_of_tier ON accounts (tier, tier_revision)');

    // A version is written for every change, also for one by SQL: accounts follow what stands there, and nobody edits it.
    await runner.query(`CREATE FUNCTION next_revision() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        NEW.revision := OLD.revision + 1;
        RETURN NEW;
      END $$`);
    await runner.query(`CREATE TRIGGER next_revision BEFORE UPDATE ON tiers FOR EACH ROW
      WHEN (OLD.capabilities IS DISTINCT FROM NEW.capabilities OR OLD.limits IS DISTINCT FROM NEW.limits)
      EXECUTE FUNCTION next_revision()`);
    const [row] = (await runner.query('SELECT quote_ident(current_schema()) AS schema')) as { schema: string }[];
    await runner.query(`CREATE FUNCTION keep_version() RETURNS trigger LANGUAGE plpgsql
      SECURITY DEFINER SET search_path = pg_catalog, ${row!.schema}, pg_temp AS $$
      BEGIN
        INSERT INTO tier_versions VALUES (NEW.name, NEW.revision, NEW.capabilities, NEW.limits);
        RETURN NULL;
      END $$`);
    await runner.query(`CREATE TRIGGER keep_first_version AFTER INSERT ON tiers FOR EACH ROW EXECUTE FUNCTION keep_version()`);
    await runner.query(`CREATE TRIGGER keep_version AFTER UPDATE ON tiers FOR EACH ROW
      WHEN (OLD.revision IS DISTINCT FROM NEW.revision) EXECUTE FUNCTION keep_version()`);
    await runner.query('DROP TRIGGER raise_epoch ON accounts');
    await runner.query(`CREATE TRIGGER raise_epoch BEFORE UPDATE ON accounts FOR EACH ROW
      WHEN (OLD.extra_capabilities IS DISTINCT FROM NEW.extra_capabilities OR OLD.limit_overrides IS DISTINCT FROM NEW.limit_overrides)
      EXECUTE FUNCTION raise_epoch_of_account()`);

    await createIdFunction(runner, 'accounts_behind', {
      arguments: 'wanted text, last uuid, most int',
      returns: { account: 'uuid' },
      query: `SELECT a.id FROM accounts a JOIN tiers t ON t.name = a.tier
        WHERE a.tier_revision < t.revision AND (wanted IS NULL OR a.tier = wanted) AND (last IS NULL OR a.id > last)
        ORDER BY a.id LIMIT most`,
    });
    await createIdFunction(runner, 'accounts_on', {
      arguments: 'wanted text',
      returns: { accounts: 'bigint' },
      query: 'SELECT count(*) FROM accounts WHERE tier = wanted',
    });
    await createIdFunction(runner, 'accounts_after', {
      arguments: 'last uuid, most int',
      returns: { account: 'uuid' },
      query: `SELECT id FROM accounts
        WHERE last IS NULL OR (created_at, id) > (SELECT created_at, id FROM accounts WHERE id = last)
        ORDER BY created_at, id LIMIT most`,
    });
    // Accounts have limits from now on: whoever is shown a later ticket reads the facts anew.
    await acrossAccounts(runner, () => runner.query('UPDATE accounts SET policy_epoch = policy_epoch + 1'));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP FUNCTION accounts_behind, accounts_on, accounts_after');
    await runner.query('DROP TRIGGER next_revision ON tiers');
    await runner.query('DROP TRIGGER keep_first_version ON tiers');
    await runner.query('DROP TRIGGER keep_version ON tiers');
    await runner.query('DROP FUNCTION next_revision, keep_version');
    await runner.query('DROP TRIGGER raise_epoch ON accounts');
    await runner.query('ALTER TABLE accounts DROP tier_revision, DROP limit_overrides');
    await runner.query('DROP TABLE tier_versions');
    await runner.query('ALTER TABLE tiers DROP limits, DROP revision');
    await runner.query(`CREATE FUNCTION raise_epoch_of_tier() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM set_config('${acrossSetting}', 'on', true);
        UPDATE accounts SET policy_epoch = policy_epoch + 1 WHERE tier = NEW.name;
        PERFORM set_config('${acrossSetting}', '', true);
        RETURN NULL;
      END $$`);
    await runner.query(`CREATE TRIGGER raise_epoch AFTER UPDATE ON tiers FOR EACH ROW
      WHEN (OLD.capabilities IS DISTINCT FROM NEW.capabilities) EXECUTE FUNCTION raise_epoch_of_tier()`);
    await runner.query(`CREATE TRIGGER raise_epoch BEFORE UPDATE ON accounts FOR EACH ROW
      WHEN (OLD.extra_capabilities IS DISTINCT FROM NEW.extra_capabilities) EXECUTE FUNCTION raise_epoch_of_account()`);
  }
}
