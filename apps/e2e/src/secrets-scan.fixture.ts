import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';

/** Everything that a house writes somewhere, by where. */
export type Dump = Record<'logs' | 'spans' | 'streams' | 'tables', string>;

/** A secret as it would stand in a text, in JSON in JSON, in a bytea column or in a base64 body. */
export function writings(secret: string): string[] {
  const bytes = Buffer.from(secret);
  // What stands around it decides how base64 begins: three alignments, without the letters that depend on the neighbours.
  const behind = (shift: number) => Buffer.concat([Buffer.alloc(shift), bytes]).toString('base64');
  const based = [behind(0).slice(0, -4), behind(1).slice(2, -4), behind(2).slice(3, -4)];
  const inJson = (text: string) => JSON.stringify(text).slice(1, -1);
  const texts = [secret, inJson(secret), inJson(inJson(secret)), encodeURIComponent(secret)];
  return [...new Set([...texts, bytes.toString('hex'), ...based])].filter((text) => text.length >= 8);
}

/** `<where>: <which>` for each secret that stands somewhere; the secrets themselves are not in it, for it goes into a test's message. */
export function findSecrets(dump: Partial<Dump>, secrets: Readonly<Record<string, string>>): string[] {
  return Object.entries(dump).flatMap(([where, text]) =>
    Object.entries(secrets)
      .filter(([, secret]) => writings(secret).some((written) => text.includes(written)))
      .map(([which]) => `${where}: ${which}`),
  );
}

/** Every file under a folder, as bytes that are read as Latin-1, so that none is lost. */
export function readTree(folder: string): string {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
    .join('\n');
}

/** Every row of every table of every service, as JSON; bytea as hexadecimal digits. */
export async function readTables(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows: tables } = await client.query<{ name: string }>(
      `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`,
    );
    const parts: string[] = [];
    for (const { name } of tables) {
      const { rows } = await client.query<{ row: string }>(`SELECT to_jsonb(t)::text AS row FROM ${name} t`);
      parts.push(...rows.map(({ row }) => `${name} ${row}`));
    }
    return parts.join('\n');
  } finally {
    await client.end();
  }
}
