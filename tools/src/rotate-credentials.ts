import { rotateCredentials as contract } from '@skillgate/contracts/calls/integrations';
import type { CallOutput } from '@skillgate/contracts/define-call';
import type { HouseOverHttp } from './reach-api.js';

type Batch = CallOutput<typeof contract>;

export interface Rotated {
  /** Id of the key that credentials are under now. */
  readonly key: string;
  readonly rotated: number;
  readonly failed: Batch['failed'];
  /** Still under other keys, failed ones included. */
  readonly left: number;
}

/** Batch after batch until none is left to try. @param tell hears of each @throws Error with the answer's own words */
export async function rotateCredentials({ url, key }: HouseOverHttp, batch: number, tell: (line: string) => void): Promise<Rotated> {
  let after: string | undefined;
  let rotated = 0;
  const failed: Batch['failed'] = [];
  for (;;) {
    const answer = await fetch(`${url}/api/v1/credentials:rotate`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ most: batch, ...(after && { after }) }),
    });
    if (!answer.ok) throw new Error(`POST ${url}/api/v1/credentials:rotate answered ${answer.status}: ${await answer.text()}`);
    const done = contract.output.parse(await answer.json());
    rotated += done.rotated;
    failed.push(...done.failed);
    tell(`${rotated} under the key "${done.key}", ${done.left} left`);
    if (!done.next) return { key: done.key, rotated, failed, left: done.left };
    after = done.next;
  }
}

/** For people: what became of it, and what to do. */
export function printRotated({ key, rotated, failed, left }: Rotated): string {
  const lines = failed.map(({ id, account, integration, why }) => `${integration} of account ${account} (${id}) stays as it is: ${why}`);
  const end =
    left === 0
      ? `${rotated} encrypted anew; everything is under "${key}", and older keys may go`
      : failed.length > 0
        ? `${rotated} encrypted anew; ${left} are under other keys, which must stay: give back the missing key, or disconnect those`
        : `${rotated} encrypted anew; ${left} came under another key meanwhile: is "${key}" first on every replica? Then run this again`;
  return [...lines, end].join('\n');
}
