import { createIdFunction, grantToService, protectByAccount } from '@skillgate/store/policies';
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Accounts1764500100000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // Tiers are data of the whole installation; the service reads them and an operator's migration changes them.
    await runner.query(`CREATE TABLE tiers (name text PRIMARY KEY, capabilities text[] NOT NULL)`);
    await runner.query(`INSERT INTO tiers (name, capabilities) VALUES
      ('free', '{}'),
      ('pro', '{tools}'),
      ('team', '{tools,subagents,sandbox,skill-authoring}')`);
    await grantToService(runner, 'tiers', ['SELECT']);

    await runner.query(`CREATE TABLE accounts (
      id uuid PRIMARY KEY,
      name text NOT NULL,
      tier text NOT NULL REFERENCES tiers,
      extra_capabilities text[] NOT NULL DEFAULT '{}',
      is_operator boolean NOT NULL DEFAULT false,
      policy_epoch int NOT NULL DEFAULT 1,
      created_at timestamptz NOT NULL DEFAULT now())`);
    // However many replicas boot at once, there is one operator.
    await runner.query(`CREATE UNIQUE INDEX one_operator_account ON accounts (is_operator) WHERE is_operator`);

    await runner.query(`CREATE TABLE users (
      id uuid PRIMARY KEY,
      account uuid NOT NULL REFERENCES accounts,
      name text NOT NULL,
      revoked_at timestamptz,
      created_at timestamptz NOT NULL DEFAULT now(),
      UNIQUE (account, id))`);

    await runner.query(`CREATE TABLE api_keys (
      id uuid PRIMARY KEY,
      account uuid NOT NULL,
      "user" uuid NOT NULL,
      name text NOT NULL,
      roles text[] NOT NULL CHECK (roles <@ '{user,admin,operator}'),
      hash bytea NOT NULL UNIQUE CHECK (length(hash) = 32),
      prefix text NOT NULL,
      from_config boolean NOT NULL DEFAULT false,
      created_at timestamptz NOT NULL DEFAULT now(),
      revoked_at timestamptz,
      last_used_at timestamptz,
      FOREIGN KEY (account, "user") REFERENCES users (account, id))`);
    await runner.query(`CREATE INDEX keys_of_user ON api_keys (account, "user")`);

    await runner.query(`CREATE TABLE integrations (
      account uuid NOT NULL REFERENCES accounts,
      name text NOT NULL,
      status text NOT NULL CHECK (status IN ('connected', 'disconnected')),
      PRIMARY KEY (account, name))`);

    await runner.query(`CREATE TABLE skill_states (
      account uuid NOT NULL REFERENCES accounts,
      skill text NOT NULL,
      state text NOT NULL CHECK (state IN ('always', 'available', 'never')),
      PRIMARY KEY (account, skill))`);

    await runner.query(`CREATE TABLE skill_locks (
      account uuid NOT NULL REFERENCES accounts,
      skill text NOT NULL,
      by text NOT NULL CHECK (by IN ('operator', 'admin')),
      state text NOT NULL CHECK (state IN ('always', 'never')),
      PRIMARY KEY (account, skill, by))`);

    await protectByAccount(runner, 'accounts', 'id');
    await grantToService(runner, 'accounts', ['SELECT', 'INSERT', 'UPDATE']);
    for (const table of ['users', 'api_keys', 'integrations', 'skill_states', 'skill_locks']) {
      await protectByAccount(runner, table);
      await grantToService(runner, table);
    }

    await createIdFunction(runner, 'find_key', {
      arguments: 'wanted bytea',
      returns: { account: 'uuid', key: 'uuid' },
      query: `SELECT k.account, k.id FROM api_keys k JOIN users u ON u.id = k."user"
        WHERE k.hash = wanted AND k.revoked_at IS NULL AND u.revoked_at IS NULL`,
    });
    await createIdFunction(runner, 'operator_account', {
      returns: { account: 'uuid' },
      query: 'SELECT id FROM accounts WHERE is_operator',
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP FUNCTION find_key, operator_account');
    await runner.query('DROP TABLE skill_locks, skill_states, integrations, api_keys, users, accounts, tiers');
  }
}
