import { spawnSync } from 'node:child_process';

export interface SystemUser {
  uid: number;
  gid: number;
}

const idOf = (flag: '-u' | '-g'): number | undefined => {
  const { status, stdout } = spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' });
  return status === 0 ? Number.parseInt(stdout, 10) : undefined;
};

const find = (): SystemUser | undefined => {
  const [uid, gid] = [idOf('-u'), idOf('-g')];
  return uid === undefined || gid === undefined ? undefined : { uid, gid };
};

/**
 * The system user that PostgreSQL runs as. PostgreSQL refuses to run as root, so root gets the user `postgres`, which
 * is made when the machine has none; everybody else runs it as themselves (undefined).
 */
export function postgresUser(): SystemUser | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const found = find();
  if (found) return found;
  process.stderr.write('PostgreSQL does not run as root; creating the system user "postgres": useradd --system\n');
  const homeless = ['--no-create-home', '--home-dir', '/nonexistent', '--shell', '/usr/sbin/nologin'];
  const made = spawnSync('useradd', ['--system', '--user-group', ...homeless, 'postgres'], { encoding: 'utf8' });
  const user = find();
  if (user) return user;
  throw new Error(
    `cannot create the system user "postgres" (${made.error?.message ?? made.stderr.trim()}). ` +
      'Create it by hand (useradd --system postgres), or run this as a user other than root.',
  );
}

/** Whether that user can enter the folder, or run the file, and pass all folders above it. Asks the system, so that ACLs count. */
export function canReach(user: SystemUser, path: string): boolean {
  return spawnSync('/bin/sh', ['-c', 'test -x "$1"', 'sh', path], { cwd: '/', ...user }).status === 0;
}
