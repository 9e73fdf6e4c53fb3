import { mkdtempSync, renameSync, rmSync, writeFileSync, chownSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { startOwnProcess } from './own-process.js';
import type { PostgresPlace } from './postgres-place.js';

/**
 * UTF-8 and the same sort order on every system: PostgreSQL's built-in C.UTF-8 needs nothing from the operating system,
 * whose locales differ (macOS and slim containers lack C.UTF-8).
 */
const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];

/** Makes the cluster beside its final place and moves it there when complete, so that a half-made one is never started. */
export async function initCluster(place: PostgresPlace, password: string, durable: boolean): Promise<void> {
  const draft = `${place.dataDir}.draft`;
  rmSync(draft, { recursive: true, force: true });
  const secret = mkdtempSync(join(tmpdir(), 'skillgate-initdb-'));
  const passwordFile = join(secret, 'password');
  writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 });
  if (place.user) for (const path of [secret, passwordFile]) chownSync(path, place.user.uid, place.user.gid);
  const access = ['--username=postgres', '--auth=scram-sha-256', `--pwfile=${passwordFile}`];
  try {
    const initdb = await startOwnProcess({
      command: join(place.home, 'bin/initdb'),
      args: [`--pgdata=${draft}`, ...access, ...locale, ...(durable ? [] : ['--no-sync'])],
      logFile: place.logFile,
      deathSignal: 'SIGTERM',
      user: place.user,
    });
    const { code } = await initdb.finish();
    if (code !== 0) throw new Error(`initdb failed in ${dirname(draft)}. It said:\n${initdb.lastWords()}`);
  } finally {
    rmSync(secret, { recursive: true, force: true });
  }
  renameSync(draft, place.dataDir);
}
