import { chmodSync, chownSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { startPostgres, type LocalPostgres } from './postgres.js';
import { postgresPlace } from './postgres-place.js';
import { canReach, postgresUser } from './postgres-user.js';
import { claimState } from './state-holder.js';

async function ask(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows as Record<string, unknown>[];
  } finally {
    await client.end();
  }
}

describe('a local PostgreSQL with a state folder', () => {
  let stateDir: string;
  let postgres: LocalPostgres;

  beforeAll(async () => {
    stateDir = mkdtempSync(join(tmpdir(), 'skillgate-test-'));
    chmodSync(stateDir, 0o755); // as a checkout usually is; run by root, PostgreSQL works as another user
    postgres = await startPostgres({ stateDir });
  }, 60_000);
  afterAll(async () => {
    await postgres?.stop();
    rmSync(stateDir, { recursive: true });
  });

  it('writes through to the disk unless told that the data may be lost', async () => {
    expect(await ask(postgres.adminUrl, 'SHOW fsync')).toEqual([{ fsync: 'on' }]);
  });

  it('works in UTF-8 with the same order everywhere, and listens to this machine alone', async () => {
    const url = await postgres.createDatabase('words');
    const [found] = await ask(
      url,
      `SELECT pg_encoding_to_char(encoding) AS encoding, datlocprovider AS provider, datlocale AS locale, upper('é') AS upper,
              current_setting('listen_addresses') AS address FROM pg_database WHERE datname = current_database()`,
    );
    expect(found).toEqual({ encoding: 'UTF8', provider: 'b', locale: 'C.UTF-8', upper: 'É', address: '127.0.0.1' });
  });

  it('lets nobody in without the password', async () => {
    await expect(ask(postgres.adminUrl.replace(/:[^:@]*@/, ':guess@'), 'SELECT 1')).rejects.toThrow('password authentication failed');
  });

  it('has its data again after a stop and a start, also with a pid file that a crash left', async () => {
    const before = await postgres.createDatabase('kept');
    expect(await postgres.createDatabase('kept')).toBe(before);
    await ask(before, 'CREATE TABLE t AS SELECT 42 AS n');
    await postgres.stop();
    writeFileSync(join(stateDir, 'postgres/data/postmaster.pid'), `${process.pid}\n`);
    postgres = await startPostgres({ stateDir });
    expect(await ask(await postgres.createDatabase('kept'), 'SELECT n FROM t')).toEqual([{ n: 42 }]);
  });

  it('does not start in a folder that a running server uses', async () => {
    const dataDir = join(stateDir, 'postgres/data');
    await expect(claimState(join(dataDir, 'postmaster.pid'), dataDir, 200)).rejects.toThrow(`another run is using ${dataDir}: its server is process ${postgres.pid}`);
  });
});

describe('the place of a local PostgreSQL', () => {
  // Only root hands the work to another user, who may not be let in.
  const itAsRoot = process.getuid?.() === 0 ? it : it.skip;

  itAsRoot('moves out of a state folder that is closed to the user postgres, always to the same one', () => {
    const closed = mkdtempSync(join(tmpdir(), 'skillgate-test-')); // mode 0700
    const { dataDir, passwordFile } = postgresPlace(closed);
    const moved = join(dataDir, '../..');
    try {
      expect(dataDir.startsWith(closed)).toBe(false);
      expect(canReach(postgresUser() as { uid: number; gid: number }, join(dataDir, '..'))).toBe(true);
      expect(passwordFile.startsWith(closed)).toBe(true);
      expect(postgresPlace(closed).dataDir).toBe(dataDir);
    } finally {
      rmSync(moved, { recursive: true });
      rmSync(closed, { recursive: true });
    }
    expect(existsSync(moved)).toBe(false);
  });

  itAsRoot('refuses a folder in the temporary folder that somebody else put there', () => {
    const closed = mkdtempSync(join(tmpdir(), 'skillgate-test-'));
    const moved = join(postgresPlace(closed).dataDir, '../..');
    chownSync(moved, 0, 0);
    try {
      expect(() => postgresPlace(closed)).toThrow('does not belong to the user postgres');
    } finally {
      rmSync(moved, { recursive: true });
      rmSync(closed, { recursive: true });
    }
  });
});
