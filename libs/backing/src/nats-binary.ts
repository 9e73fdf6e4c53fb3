import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const isExecutable = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
};

/** Debian installs into /usr/sbin, which is often not in a user's PATH; the last two are Homebrew's folders. */
const usualFolders = ['/usr/sbin', '/usr/local/bin', '/opt/homebrew/bin'];

function lookUp(env: NodeJS.ProcessEnv): string | undefined {
  for (const name of ['SKILLGATE_NATS_BIN', 'NATS_SERVER_BIN']) {
    const path = env[name];
    if (!path) continue;
    if (isExecutable(path)) return path;
    throw new Error(`${name} is "${path}", which is no executable file. Set it to the path of nats-server, or unset it.`);
  }
  const folders = [...(env.PATH ?? '').split(delimiter), ...usualFolders];
  return folders.filter(Boolean).map((folder) => join(folder, 'nats-server')).find(isExecutable);
}

const releasePage = 'https://github.com/nats-io/nats-server/releases';

/** The exact command for this machine, for people who cannot have it installed for them. */
export function howToInstallNats(platform: NodeJS.Platform, hasApt: boolean): string {
  if (platform === 'darwin') return 'brew install nats-server';
  if (hasApt) return 'sudo apt-get update && sudo apt-get install -y nats-server';
  return `download nats-server from ${releasePage} and set SKILLGATE_NATS_BIN to its path`;
}

function installByApt(): void {
  process.stderr.write('nats-server is not installed; installing the Debian package: apt-get update && apt-get install -y nats-server\n');
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  // Standard output may be a command's JSON answer, so everything goes to standard error.
  for (const args of [['update'], ['install', '-y', '--no-install-recommends', 'nats-server']]) {
    const { status, error } = spawnSync('apt-get', args, { stdio: ['ignore', 2, 2], env });
    if (status !== 0) throw new Error(`apt-get ${args.join(' ')} failed (${error?.message ?? `exit ${status}`}); its output stands above.`);
  }
}

/**
 * Path of `nats-server`: SKILLGATE_NATS_BIN, NATS_SERVER_BIN, PATH, the usual folders; as root on Debian it is
 * installed when missing.
 *
 * @throws with the command to run, when there is none and this user cannot install it
 */
export function findNatsServer(env: NodeJS.ProcessEnv = process.env): string {
  const found = lookUp(env);
  if (found) return found;
  const hasApt = existsSync('/usr/bin/apt-get');
  if (hasApt && process.getuid?.() === 0) {
    installByApt();
    const installed = lookUp(env);
    if (installed) return installed;
  }
  throw new Error(`nats-server is not on this machine. Run: ${howToInstallNats(process.platform, hasApt)}`);
}
