import { createIdFunction, grantToService, protectByAccount } from '@skillgate/store/policies';
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Artifacts1764500000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE artifacts (
        id uuid PRIMARY KEY,
        account uuid NOT NULL,
        user_id uuid NOT NULL,
        chat uuid,
        turn uuid,
        made_by text NOT NULL,
        name text NOT NULL,
        mime text NOT NULL,
        bytes integer NOT NULL CHECK (bytes >= 0),
        sha256 text NOT NULL,
        status text NOT NULL CHECK (status IN ('open', 'ready', 'expired')),
        created_at timestamptz NOT NULL
      )`);
    await runner.query(`CREATE INDEX artifacts_newest ON artifacts (account, created_at DESC) WHERE status = 'ready'`);
    await runner.query(`CREATE INDEX artifacts_unfinished ON artifacts (created_at) WHERE status <> 'ready'`);
    await protectByAccount(runner, 'artifacts');
    await grantToService(runner, 'artifacts');
    await createIdFunction(runner, 'unfinished_artifacts', {
      arguments: 'older_than timestamptz',
      returns: { account: 'uuid', id: 'uuid' },
      query: `SELECT a.account, a.id FROM artifacts a WHERE a.status <> 'ready' AND a.created_at < older_than
        ORDER BY a.created_at LIMIT 100`,
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP FUNCTION unfinished_artifacts');
    await runner.query('DROP TABLE artifacts');
  }
}
