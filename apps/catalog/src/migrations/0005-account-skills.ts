import { grantToService, protectByAccount } from '@skillgate/store/policies';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Skills that an account's users wrote, and the account's word on newer versions of any skill. */
export class AccountSkills1764600500000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE account_skills (
      account uuid NOT NULL,
      slug text NOT NULL,
      version text NOT NULL,
      status text NOT NULL CHECK (status IN ('draft', 'review', 'published', 'retired')),
      current boolean NOT NULL DEFAULT false,
      author uuid NOT NULL,
      reviewer uuid,
      note text,
      digest text NOT NULL,
      title text NOT NULL,
      description text NOT NULL,
      default_state text NOT NULL CHECK (default_state IN ('always', 'available', 'never')),
      requires jsonb NOT NULL,
      body text NOT NULL,
      files jsonb NOT NULL,
      findings jsonb NOT NULL,
      changed_at timestamptz NOT NULL DEFAULT now(),
      PRIMARY KEY (account, slug, version),
      CHECK (NOT current OR status = 'published'))`);
    await runner.query('CREATE UNIQUE INDEX one_current_account_skill ON account_skills (account, slug) WHERE current');
    await runner.query(`CREATE UNIQUE INDEX one_draft ON account_skills (account, slug) WHERE status IN ('draft', 'review')`);
    await protectByAccount(runner, 'account_skills');
    await grantToService(runner, 'account_skills');
    // As for the platform's own: chats have pinned what was published. A retired version comes back under another number.
    await runner.query(`
      CREATE FUNCTION keep_account_skill() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF OLD.status NOT IN ('published', 'retired') THEN
          RETURN CASE WHEN TG_OP = 'DELETE' THEN OLD ELSE NEW END;
        END IF;
        IF TG_OP = 'DELETE' OR NEW.status IN ('draft', 'review') OR (OLD.status = 'retired' AND NEW.status <> 'retired') OR
           (NEW.slug, NEW.version, NEW.author, NEW.digest, NEW.title, NEW.description, NEW.default_state, NEW.requires, NEW.body, NEW.files)
           IS DISTINCT FROM
           (OLD.slug, OLD.version, OLD.author, OLD.digest, OLD.title, OLD.description, OLD.default_state, OLD.requires, OLD.body, OLD.files) THEN
          RAISE EXCEPTION 'account skill %@% is published and does not change', OLD.slug, OLD.version;
        END IF;
        RETURN NEW;
      END $$`);
    await runner.query('CREATE TRIGGER keep_account_skill BEFORE UPDATE OR DELETE ON account_skills FOR EACH ROW EXECUTE FUNCTION keep_account_skill()');

    await runner.query(`CREATE TABLE account_skill_files (
      account uuid NOT NULL,
      slug text NOT NULL,
      version text NOT NULL,
      path text NOT NULL,
      bytes bytea NOT NULL,
      PRIMARY KEY (account, slug, version, path),
      FOREIGN KEY (account, slug, version) REFERENCES account_skills (account, slug, version) ON DELETE CASCADE)`);
    await protectByAccount(runner, 'account_skill_files');
    await grantToService(runner, 'account_skill_files', ['SELECT', 'INSERT', 'DELETE']);
    await runner.query(`
      CREATE FUNCTION keep_account_files() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF EXISTS (SELECT 1 FROM account_skills s WHERE s.account = OLD.account AND s.slug = OLD.slug AND s.version = OLD.version
                   AND s.status IN ('published', 'retired')) THEN
          RAISE EXCEPTION 'files of account skill %@% are published and do not change', OLD.slug, OLD.version;
        END IF;
        RETURN OLD;
      END $$`);
    await runner.query('CREATE TRIGGER keep_account_files BEFORE DELETE ON account_skill_files FOR EACH ROW EXECUTE FUNCTION keep_account_files()');

    await runner.query(`CREATE TABLE account_update_policies (
      account uuid NOT NULL,
      slug text NOT NULL,
      update_policy text NOT NULL CHECK (update_policy IN ('pin', 'next-turn', 'force')),
      PRIMARY KEY (account, slug))`);
    await protectByAccount(runner, 'account_update_policies');
    await grantToService(runner, 'account_update_policies');

    // Changes with what the account's shelf holds; replicas look at it to know whether to read anew.
    await runner.query('CREATE TABLE account_shelves (account uuid PRIMARY KEY, revision text NOT NULL)');
    await protectByAccount(runner, 'account_shelves');
    await grantToService(runner, 'account_shelves', ['SELECT', 'INSERT', 'UPDATE']);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE account_shelves, account_update_policies, account_skill_files, account_skills');
    await runner.query('DROP FUNCTION keep_account_files, keep_account_skill');
  }
}
