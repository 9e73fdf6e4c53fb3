import { createHash } from 'node:crypto';
import { chmodSync, chownSync, cpSync, existsSync, lstatSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { canReach, postgresUser, type SystemUser } from './postgres-user.js';
import { postgresHome } from './postgres-binaries.js';

export interface PostgresPlace {
  user: SystemUser | undefined;
  /** Folder with `bin/postgres` that `user` can run. */
  home: string;
  /** The cluster, in a folder of its own that belongs to `user`; made by `initCluster`. */
  dataDir: string;
  /** Ours alone. */
  passwordFile: string;
  logFile: string;
}

/**
 * Decides where PostgreSQL lives. Run by root it works as the user `postgres`, who cannot pass a closed folder such as
 * /root: a state folder or a checkout there moves to the system's temporary folder, always to the same place.
 */
export function postgresPlace(stateDir: string): PostgresPlace {
  const user = postgresUser();
  const wanted = resolve(stateDir);
  mkdirSync(wanted, { recursive: true });
  const files = { passwordFile: join(wanted, 'postgres-password'), logFile: join(wanted, 'postgres.log') };
  if (!user) return { user, home: postgresHome(), dataDir: join(wanted, 'postgres', 'data'), ...files };

  let state = wanted;
  if (!canReach(user, wanted)) {
    state = ownFolder(join(tmpdir(), `skillgate-${fingerprint(wanted)}`), user);
    process.stderr.write(`the user postgres cannot read ${wanted}; the database is kept in ${state}\n`);
  }
  return { user, home: reachableHome(user), dataDir: join(ownFolder(join(state, 'postgres'), user), 'data'), ...files };
}

const fingerprint = (path: string): string => createHash('sha256').update(path).digest('hex').slice(0, 12);

/** A folder for `user` alone. One that somebody else put there first, in a folder open to all, is refused. */
function ownFolder(path: string, user: SystemUser): string {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found && (!found.isDirectory() || found.uid !== user.uid)) {
    throw new Error(`${path} exists and does not belong to the user postgres. Remove it, or choose another state folder.`);
  }
  if (!found) {
    mkdirSync(path, { mode: 0o700 });
    chownSync(path, user.uid, user.gid);
  }
  return path;
}

/** The binaries, or a copy of them (60 MB) where the checkout itself is closed to `user`. */
function reachableHome(user: SystemUser): string {
  const home = postgresHome();
  if (canReach(user, join(home, 'bin/postgres'))) return home;
  const { size, mtimeMs } = statSync(join(home, 'bin/postgres')); // another version of the package is another copy
  const copy = join(tmpdir(), `skillgate-postgres-binaries-${fingerprint(`${home} ${size} ${mtimeMs}`)}`);
  const found = lstatSync(copy, { throwIfNoEntry: false });
  if (found && (!found.isDirectory() || found.uid !== 0)) throw new Error(`${copy} exists and is not root's. Remove it.`);
  if (!found) {
    process.stderr.write(`the user postgres cannot read ${home}; copying the binaries to ${copy}\n`);
    const draft = `${copy}.${process.pid}`;
    cpSync(home, draft, { recursive: true, verbatimSymlinks: true });
    chmodSync(draft, 0o755);
    if (existsSync(copy)) rmSync(draft, { recursive: true }); // another run was faster
    else renameSync(draft, copy);
  }
  return copy;
}
