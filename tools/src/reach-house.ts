import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface HouseOnTheWire {
  readonly servers: string;
  readonly password: string;
}

/**
 * Where the house's NATS is, for a user of that name: from the environment as for every service, else from the folder of
 * a house that `bin/dev` runs. @throws an error that says what to set
 */
export function reachHouse(user: string, env: NodeJS.ProcessEnv, stateDir: string): HouseOnTheWire {
  const variable = `SKILLGATE_NATS_PASSWORD_${user.toUpperCase().replaceAll('-', '_')}`;
  const password = env[variable] ?? env.SKILLGATE_NATS_PASSWORD;
  if (env.SKILLGATE_NATS_URL) {
    if (!password) throw new Error(`SKILLGATE_NATS_URL is set and ${variable} is not; set the password of the NATS user "${user}"`);
    return { servers: env.SKILLGATE_NATS_URL, password };
  }
  const [url, secrets] = [join(stateDir, 'nats-url'), join(stateDir, 'secrets.json')];
  if (!existsSync(url)) {
    throw new Error(`no house runs from ${stateDir}; start one with bin/dev, name its folder with --state, or set SKILLGATE_NATS_URL and ${variable}`);
  }
  const { nats } = JSON.parse(readFileSync(secrets, 'utf8')) as { nats: Record<string, string> };
  const known = nats[user];
  if (!known) throw new Error(`the house in ${stateDir} was last started by a version without the NATS user "${user}"; start it again with bin/dev`);
  return { servers: readFileSync(url, 'utf8').trim(), password: known };
}
