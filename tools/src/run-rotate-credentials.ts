import { reachApi } from './reach-api.js';
import { printRotated, rotateCredentials } from './rotate-credentials.js';
import type { RotateArguments } from './rotate-credentials-arguments.js';

/** @returns the exit code @throws when the house cannot be reached or refuses */
export async function runRotateCredentials({ url, batch, json }: RotateArguments, state: string): Promise<number> {
  const result = await rotateCredentials(reachApi(process.env, state, url), batch, json ? () => undefined : console.log);
  console.log(json ? JSON.stringify(result) : printRotated(result));
  return result.left === 0 ? 0 : 1;
}
