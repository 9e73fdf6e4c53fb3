import type { Actor } from '@skillgate/contracts/audit';
import type { rotateCredentials as contract } from '@skillgate/contracts/calls/integrations';
import type { CallAnswer } from '@skillgate/contracts/define-call';
import { isHouseError, isUnavailable } from '@skillgate/contracts/refusal';
import { recordAudit } from '@skillgate/store/audit';
import type { DataSource } from 'typeorm';
import { acrossAccounts, inPlatform } from '../platform-scope.js';
import { requireSealed, type IntegrationsRoom } from './integrations-room.js';

type Rotation = CallAnswer<typeof contract>;

/**
 * One batch under the current key, each credential in a short transaction of its own: leases and renewals go on, and a
 * rotation that breaks off goes on where it is asked to.
 */
export async function rotateCredentials(
  room: IntegrationsRoom,
  dataSource: DataSource,
  { after, most }: { after?: string; most: number },
  actor: Actor,
): Promise<Rotation> {
  const { keys, credentials } = requireSealed(room, 'Credentials');
  const key = keys.current.id;
  const batch = (await acrossAccounts(dataSource, 'SELECT account, id FROM credentials_elsewhere($1, $2, $3)', [
    key,
    after ?? null,
    most,
  ])) as {
    account: string;
    id: string;
  }[];
  let rotated = 0;
  const failed: Rotation['failed'] = [];
  for (const { account, id } of batch) {
    try {
      if (await credentials.reseal(account, id)) rotated += 1;
    } catch (error) {
      // The database away is no property of this one credential: the caller asks again.
      if (isUnavailable(error) && error.slug !== 'credential-key-missing') throw error;
      const why = isHouseError(error) || error instanceof Error ? error.message : 'unknown';
      room.log.error({ account, id, why }, 'a credential could not be brought under the current key');
      failed.push({ id, account, integration: (await credentials.integrationOf(account, id)) ?? '', why });
    }
  }
  const [{ left } = { left: '0' }] = (await acrossAccounts(dataSource, 'SELECT "left" FROM count_credentials_elsewhere($1)', [key])) as {
    left: string;
  }[];
  const result = { key, rotated, failed, left: Number(left), ...(batch.length === most && { next: batch.at(-1)!.id }) };
  if (batch.length > 0) {
    const after = { rotated, failed: failed.length, left: result.left };
    await inPlatform(dataSource, (sql) => recordAudit(sql, { account: null, actor, action: 'rotate-credentials', target: key, after }));
  }
  room.log.info({ target: key, rotated, failed: failed.length, left: result.left }, 'credentials were brought under the current key');
  return result;
}
