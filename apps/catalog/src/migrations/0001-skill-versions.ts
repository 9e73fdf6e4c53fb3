import { grantToService } from '@skillgate/store/policies';
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class SkillVersions1764500200000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // Packages of the installation belong to no account, so no policy by account stands here.
    await runner.query(`
      CREATE TABLE skill_versions (
        slug text NOT NULL,
        version text NOT NULL,
        digest text,
        title text NOT NULL,
        description text NOT NULL,
        hidden boolean NOT NULL,
        default_state text NOT NULL CHECK (default_state IN ('always', 'available', 'never')),
        requires jsonb NOT NULL,
        body text NOT NULL,
        problems jsonb NOT NULL,
        status text NOT NULL CHECK (status IN ('published', 'invalid')),
        current boolean NOT NULL,
        published_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (slug, version),
        CHECK ((status = 'published') = (digest IS NOT NULL AND version <> '')),
        CHECK (status = 'published' OR NOT current)
      )`);
    await runner.query('CREATE UNIQUE INDEX one_current_version ON skill_versions (slug) WHERE current');
    // A published text may be neither changed nor deleted, whatever the service tries: chats have pinned it.
    await runner.query(`
      CREATE FUNCTION keep_published() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF TG_OP = 'UPDATE' AND NEW IS NOT DISTINCT FROM OLD THEN RETURN NEW; END IF;
        IF OLD.status = 'published' AND (TG_OP = 'DELETE' OR
           (NEW.slug, NEW.version, NEW.digest, NEW.title, NEW.description,
            NEW.hidden, NEW.default_state, NEW.requires, NEW.body, NEW.status, NEW.published_at)
           IS DISTINCT FROM
           (OLD.slug, OLD.version, OLD.digest, OLD.title, OLD.description,
            OLD.hidden, OLD.default_state, OLD.requires, OLD.body, OLD.status, OLD.published_at)) THEN
          RAISE EXCEPTION 'skill version %@% is published and does not change', OLD.slug, OLD.version;
        END IF;
        RETURN CASE WHEN TG_OP = 'DELETE' THEN OLD ELSE NEW END;
      END $$`);
    await runner.query(
      'CREATE TRIGGER keep_published BEFORE UPDATE OR DELETE ON skill_versions FOR EACH ROW EXECUTE FUNCTION keep_published()',
    );
    await grantToService(runner, 'skill_versions');

    // Changes exactly when what the catalog offers changes; replicas look at it to know whether to read anew.
    await runner.query(`CREATE TABLE shelf_revision (single boolean PRIMARY KEY DEFAULT true CHECK (single), revision text NOT NULL)`);
    await runner.query(`INSERT INTO shelf_revision (revision) VALUES ('')`);
    await grantToService(runner, 'shelf_revision', ['SELECT', 'UPDATE']);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE shelf_revision, skill_versions');
    await runner.query('DROP FUNCTION keep_published');
  }
}
