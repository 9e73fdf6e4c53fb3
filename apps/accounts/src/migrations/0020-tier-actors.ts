import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Transaction-local: who changes a tier, as JSON. Absent in a change by SQL, and then nobody is named. */
export const tierActorSetting = 'skillgate.tier_actor';

/** A version of a tier knows who made it, so that an account that follows later can name them. */
export class TierActors1764602000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE tier_versions ADD actor jsonb');
    await keepVersions(runner, `(name, revision, capabilities, limits, actor)
      VALUES (NEW.name, NEW.revision, NEW.capabilities, NEW.limits, nullif(current_setting('${tierActorSetting}', true), '')::jsonb)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await keepVersions(runner, 'VALUES (NEW.name, NEW.revision, NEW.capabilities, NEW.limits)');
    await runner.query('ALTER TABLE tier_versions DROP actor');
  }
}

async function keepVersions(runner: QueryRunner, written: string): Promise<void> {
  const [row] = (await runner.query('SELECT quote_ident(current_schema()) AS schema')) as { schema: string }[];
  await runner.query(`CREATE OR REPLACE FUNCTION keep_version() RETURNS trigger LANGUAGE plpgsql
    SECURITY DEFINER SET search_path = pg_catalog, ${row!.schema}, pg_temp AS $$
    BEGIN
      INSERT INTO tier_versions ${written};
      RETURN NULL;
    END $$`);
}
