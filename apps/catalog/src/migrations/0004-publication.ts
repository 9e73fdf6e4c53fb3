import { grantToService } from '@skillgate/store/policies';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Versions come from the skills directory or by the API, with their files; operators say which is offered and what chats do about newer ones. */
export class Publication1764600400000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE skill_versions
      ADD COLUMN origin text NOT NULL DEFAULT 'directory' CHECK (origin IN ('directory', 'api')),
      ADD COLUMN in_directory boolean NOT NULL DEFAULT false,
      ADD COLUMN retired_at timestamptz,
      ADD COLUMN retired_reason text,
      ADD COLUMN files jsonb NOT NULL DEFAULT '[]',
      ADD CHECK (NOT current OR retired_at IS NULL),
      ADD CHECK ((retired_at IS NULL) = (retired_reason IS NULL)),
      ADD CHECK (status = 'published' OR origin = 'directory')`);
    await runner.query('UPDATE skill_versions SET in_directory = current');
    // Besides the text: where it came from stays, its list of files is written once, and what was retired stays retired.
    await runner.query(`
      CREATE FUNCTION keep_origin() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF OLD.status = 'published' AND (NEW.origin <> OLD.origin
           OR (OLD.files <> '[]' AND NEW.files <> OLD.files)
           OR (OLD.retired_at IS NOT NULL AND (NEW.retired_at, NEW.retired_reason) IS DISTINCT FROM (OLD.retired_at, OLD.retired_reason))) THEN
          RAISE EXCEPTION 'skill version %@% is published and does not change', OLD.slug, OLD.version;
        END IF;
        RETURN NEW;
      END $$`);
    await runner.query('CREATE TRIGGER keep_origin BEFORE UPDATE ON skill_versions FOR EACH ROW EXECUTE FUNCTION keep_origin()');

    // No UPDATE and no DELETE: a file of a published version is as fixed as its text.
    await runner.query(`CREATE TABLE skill_files (
      slug text NOT NULL,
      version text NOT NULL,
      path text NOT NULL,
      bytes bytea NOT NULL,
      PRIMARY KEY (slug, version, path),
      FOREIGN KEY (slug, version) REFERENCES skill_versions (slug, version))`);
    await grantToService(runner, 'skill_files', ['SELECT', 'INSERT']);

    await runner.query(`CREATE TABLE skill_settings (
      slug text PRIMARY KEY,
      steered boolean NOT NULL DEFAULT false,
      update_policy text NOT NULL DEFAULT 'pin' CHECK (update_policy IN ('pin', 'next-turn', 'force')))`);
    await grantToService(runner, 'skill_settings', ['SELECT', 'INSERT', 'UPDATE']);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE skill_settings, skill_files');
    await runner.query('DROP TRIGGER keep_origin ON skill_versions');
    await runner.query('DROP FUNCTION keep_origin');
    await runner.query(`ALTER TABLE skill_versions DROP COLUMN origin, DROP COLUMN in_directory, DROP COLUMN retired_at,
      DROP COLUMN retired_reason, DROP COLUMN files`);
  }
}
