import type { Actor, AuditAction } from '@skillgate/contracts/audit';
import { recordAudit } from '@skillgate/store/audit';
import type { Outgoing } from '@skillgate/store/enqueue';
import type { EntityManager } from 'typeorm';
import type { AccountFacts } from './account-facts.js';
import { AccountRow } from './entities.js';
import { selectFacts, unknownAccount } from './facts-store.js';
import { tellFacts } from './tell-facts.js';

export interface Change {
  readonly facts: AccountFacts;
  /** False when everything stood already as asked: the epoch did not move. */
  readonly changed: boolean;
}

/** Who does what to what, for the audit log. */
export interface Deed {
  readonly actor: Actor;
  readonly action: AuditAction;
  readonly target: string;
}

export interface Difference {
  readonly before: unknown;
  readonly after: unknown;
}

/**
 * The one way in which entitlements change: with the account's row held, and with the epoch, the event and the audit entry in
 * the same commit. Inside a transaction of the account.
 *
 * @param work null when everything stands as asked
 * @param also an event of its own for this kind of change, by the new epoch
 * @throws refusal `unknown-account`, and what `work` throws
 */
export async function changeFacts(
  sql: EntityManager,
  account: string,
  deed: Deed,
  work: (row: AccountRow) => Promise<Difference | null>,
  also?: (policyEpoch: number) => Outgoing,
): Promise<Change> {
  const row = await holdAccount(sql, account);
  const difference = await work(row);
  if (!difference) return { facts: await selectFacts(sql, account), changed: false };
  await sql.update(AccountRow, { id: account }, { policyEpoch: row.policyEpoch + 1 });
  const facts = await selectFacts(sql, account);
  await recordAudit(sql, { account, ...deed, ...difference });
  return { facts: await tellFacts(sql, facts, also?.(facts.entitlements.policyEpoch)), changed: true };
}

/** The account's row, held until the transaction ends, so that changes of an account follow one another. */
export async function holdAccount(sql: EntityManager, account: string): Promise<AccountRow> {
  const row = await sql.findOne(AccountRow, { where: { id: account }, lock: { mode: 'pessimistic_write' } });
  if (!row) throw unknownAccount(account);
  return row;
}
