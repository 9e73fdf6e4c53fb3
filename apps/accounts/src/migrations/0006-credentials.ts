import { createIdFunction, grantToService, protectByAccount } from '@skillgate/store/policies';
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Credentials1764600400000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE integrations
      DROP CONSTRAINT integrations_status_check,
      ADD CONSTRAINT integrations_status_check CHECK (status IN ('connected', 'expired', 'revoked', 'disconnected')),
      ADD COLUMN by uuid,
      ADD COLUMN at timestamptz,
      ADD COLUMN scopes text[] NOT NULL DEFAULT '{}',
      ADD COLUMN label text,
      ADD COLUMN why text`);

    // `box` is a secret under a data key, `wrapped_key` that data key under the key `key_id` of the installation.
    await runner.query(`CREATE TABLE credentials (
      id uuid PRIMARY KEY,
      account uuid NOT NULL,
      integration text NOT NULL,
      kind text NOT NULL CHECK (kind IN ('oauth2', 'api-key', 'app-password')),
      key_id text NOT NULL,
      wrapped_key bytea NOT NULL,
      box bytea NOT NULL,
      version int NOT NULL DEFAULT 1,
      claim int NOT NULL DEFAULT 0,
      claimed_until timestamptz,
      created_at timestamptz NOT NULL DEFAULT now(),
      renewed_at timestamptz,
      UNIQUE (account, integration),
      FOREIGN KEY (account, integration) REFERENCES integrations (account, name))`);
    await runner.query('CREATE INDEX credentials_by_key ON credentials (key_id, id)');

    await runner.query(`CREATE TABLE pending_connections (
      state_hash bytea PRIMARY KEY CHECK (length(state_hash) = 32),
      id uuid NOT NULL,
      account uuid NOT NULL REFERENCES accounts,
      "user" uuid NOT NULL,
      integration text NOT NULL,
      redirect_uri text NOT NULL,
      actor jsonb NOT NULL,
      key_id text NOT NULL,
      wrapped_key bytea NOT NULL,
      box bytea NOT NULL,
      expires_at timestamptz NOT NULL)`);
    await runner.query('CREATE INDEX pending_of_account ON pending_connections (account, expires_at)');

    for (const table of ['credentials', 'pending_connections']) {
      await protectByAccount(runner, table);
      await grantToService(runner, table);
    }

    // Whoever disconnects, on whatever way: nothing of the credential stays.
    await runner.query(`CREATE FUNCTION wipe_credential() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF NEW.status = 'disconnected' THEN
          DELETE FROM credentials WHERE account = NEW.account AND integration = NEW.name;
          DELETE FROM pending_connections WHERE account = NEW.account AND integration = NEW.name;
          NEW.by := NULL; NEW.at := NULL; NEW.scopes := '{}'; NEW.label := NULL; NEW.why := NULL;
        ELSIF NEW.status = 'connected' THEN
          NEW.why := NULL;
        END IF;
        RETURN NEW;
      END $$`);
    await runner.query('CREATE TRIGGER wipe_credential BEFORE UPDATE ON integrations FOR EACH ROW EXECUTE FUNCTION wipe_credential()');

    await createIdFunction(runner, 'find_connection', {
      arguments: 'wanted bytea',
      returns: { account: 'uuid' },
      query: 'SELECT account FROM pending_connections WHERE state_hash = wanted',
    });
    await createIdFunction(runner, 'credentials_elsewhere', {
      arguments: 'current_key text, behind uuid, most int',
      returns: { account: 'uuid', id: 'uuid' },
      query: `SELECT account, id FROM credentials
        WHERE key_id <> current_key AND (behind IS NULL OR id > behind) ORDER BY id LIMIT most`,
    });
    await createIdFunction(runner, 'count_credentials_elsewhere', {
      arguments: 'current_key text',
      returns: { left: 'bigint' },
      query: 'SELECT count(*) FROM credentials WHERE key_id <> current_key',
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP FUNCTION count_credentials_elsewhere, credentials_elsewhere, find_connection');
    await runner.query('DROP TRIGGER wipe_credential ON integrations');
    await runner.query('DROP FUNCTION wipe_credential');
    await runner.query('DROP TABLE pending_connections, credentials');
    await runner.query(`UPDATE integrations SET status = 'disconnected' WHERE status IN ('expired', 'revoked')`);
    await runner.query(`ALTER TABLE integrations
      DROP COLUMN by, DROP COLUMN at, DROP COLUMN scopes, DROP COLUMN label, DROP COLUMN why,
      DROP CONSTRAINT integrations_status_check,
      ADD CONSTRAINT integrations_status_check CHECK (status IN ('connected', 'disconnected'))`);
  }
}
