import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface HouseOverHttp {
  readonly url: string;
  readonly key: string;
}

/**
 * Where the house's REST is and the operator's key to it: from the environment, else from the folder of a house that
 * `bin/dev` runs. @throws an error that says what to set
 */
export function reachApi(env: NodeJS.ProcessEnv, stateDir: string, given?: string): HouseOverHttp {
  const url = given ?? env.SKILLGATE_URL;
  if (url !== undefined) {
    if (!env.SKILLGATE_OPERATOR_KEY) throw new Error('set SKILLGATE_OPERATOR_KEY to the key of an operator of that house');
    return { url: url.replace(/\/+$/, ''), key: env.SKILLGATE_OPERATOR_KEY };
  }
  const [address, secrets] = [join(stateDir, 'url'), join(stateDir, 'secrets.json')];
  if (!existsSync(address)) {
    throw new Error(
      `no house runs from ${stateDir}; start one with bin/dev, name its folder with --state, or give --url and SKILLGATE_OPERATOR_KEY`,
    );
  }
  const { operatorKey } = JSON.parse(readFileSync(secrets, 'utf8')) as { operatorKey: string };
  return { url: readFileSync(address, 'utf8').trim(), key: operatorKey };
}
