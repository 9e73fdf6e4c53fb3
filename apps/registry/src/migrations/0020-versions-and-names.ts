import { grantToService } from '@skillgate/store/policies';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Several approved manifests of one tool while its executor rolls over, and names of tools that two executors call alike. */
export class VersionsAndNames1764502000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // The name that models know, given once and kept when the approvals go: a skill that names it shall never reach another team's tool.
    await runner.query(`CREATE TABLE tool_names (
      tool text PRIMARY KEY,
      executor text NOT NULL,
      own_name text NOT NULL,
      given_at timestamptz NOT NULL DEFAULT now(),
      UNIQUE (executor, own_name),
      UNIQUE (tool, executor, own_name))`);
    await grantToService(runner, 'tool_names', ['SELECT', 'INSERT']);
    await runner.query('INSERT INTO tool_names (tool, executor, own_name) SELECT tool, executor, tool FROM approved_tools');
    await runner.query('ALTER TABLE approved_tools ADD COLUMN own_name text');
    await runner.query('UPDATE approved_tools SET own_name = tool');
    await runner.query(`ALTER TABLE approved_tools
      ALTER COLUMN own_name SET NOT NULL,
      DROP CONSTRAINT approved_tools_pkey,
      ADD PRIMARY KEY (tool, schema_digest),
      ADD FOREIGN KEY (tool, executor, own_name) REFERENCES tool_names (tool, executor, own_name)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DELETE FROM approved_tools a USING approved_tools b
      WHERE a.tool = b.tool AND (a.approved_at, a.schema_digest) < (b.approved_at, b.schema_digest)`);
    await runner.query('ALTER TABLE approved_tools DROP CONSTRAINT approved_tools_pkey, ADD PRIMARY KEY (tool), DROP COLUMN own_name CASCADE');
    await runner.query('DROP TABLE tool_names CASCADE');
  }
}
