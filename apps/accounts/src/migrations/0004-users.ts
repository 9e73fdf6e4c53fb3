import { acrossAccounts, createIdFunction, grantToService, protectByAccount } from '@skillgate/store/policies';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const findKey = (also: string) => ({
  arguments: 'wanted bytea',
  returns: { account: 'uuid', key: 'uuid' } as const,
  query: `SELECT k.account, k.id FROM api_keys k JOIN users u ON u.id = k."user"
    WHERE k.hash = wanted AND k.revoked_at IS NULL AND u.revoked_at IS NULL ${also}`,
});

/** Roles stand on users and bound their keys; keys may end; users may be known to other issuers. */
export class Users1764600200000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE users ADD roles text[] NOT NULL DEFAULT '{user}' CHECK (roles <@ '{user,admin,operator}')`);
    // Until now the keys had the roles: a user may do what one of its living keys may.
    await acrossAccounts(runner, () =>
      runner.query(`UPDATE users u SET roles = ARRAY(
        SELECT DISTINCT role FROM (SELECT 'user' AS role UNION ALL
          SELECT unnest(k.roles) FROM api_keys k WHERE k."user" = u.id AND k.revoked_at IS NULL) r ORDER BY role)`),
    );
    await runner.query('ALTER TABLE api_keys ADD expires_at timestamptz');

    await runner.query(`CREATE TABLE identities (
      account uuid NOT NULL,
      issuer text NOT NULL,
      subject text NOT NULL,
      "user" uuid NOT NULL,
      created_at timestamptz NOT NULL DEFAULT now(),
      PRIMARY KEY (account, issuer, subject),
      FOREIGN KEY (account, "user") REFERENCES users (account, id))`);
    await runner.query('CREATE INDEX identities_of_user ON identities (account, "user")');
    await protectByAccount(runner, 'identities');
    await grantToService(runner, 'identities', ['SELECT', 'INSERT', 'DELETE']);

    await runner.query('DROP FUNCTION find_key');
    await createIdFunction(runner, 'find_key', findKey('AND (k.expires_at IS NULL OR k.expires_at > now())'));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP FUNCTION find_key');
    await runner.query('DROP TABLE identities');
    await runner.query('ALTER TABLE api_keys DROP expires_at');
    await runner.query('ALTER TABLE users DROP roles');
    await createIdFunction(runner, 'find_key', findKey(''));
  }
}
