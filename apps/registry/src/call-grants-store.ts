import { Injectable } from '@nestjs/common';
import type { Actor, AuditAction } from '@skillgate/contracts/audit';
import { inAccount } from '@skillgate/store/account-scope';
import { recordAudit } from '@skillgate/store/audit';
import { DataSource } from 'typeorm';

/** A grant for one call that is about to be signed. */
export interface CallGrant {
  readonly account: string;
  readonly turn: string;
  readonly callId: string;
  readonly argumentsHash: string;
  readonly tool: string;
  /** `jti` of the grant. */
  readonly grant: string;
  /** Seconds since the epoch. */
  readonly expiresAt: number;
}

/** Which approved calls have a grant. */
@Injectable()
export class CallGrantsStore {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Writes it down, with who approved it in the audit log. While a grant of a call lives there is none for other arguments, so that
   * of two who decide at once only one is granted.
   *
   * @param action as the call that granted it is named
   * @returns false when there is such a grant
   */
  record({ account, turn, callId, argumentsHash, tool, grant, expiresAt }: CallGrant, actor: Actor, action: AuditAction = 'mint-call-grant'): Promise<boolean> {
    return inAccount(this.dataSource, account, async (sql) => {
      const written: unknown[] = await sql.query(
        `INSERT INTO call_grants AS held (account, turn, call_id, arguments_hash, expires_at) VALUES ($1, $2, $3, $4, to_timestamp($5))
         ON CONFLICT (account, turn, call_id) DO UPDATE SET arguments_hash = excluded.arguments_hash, expires_at = excluded.expires_at
         WHERE held.arguments_hash = excluded.arguments_hash OR held.expires_at < now() RETURNING call_id`,
        [account, turn, callId, argumentsHash, expiresAt],
      );
      if (written.length === 0) return false;
      await recordAudit(sql, { account, actor, action, target: tool, after: { turn, callId, argumentsHash, grant } });
      return true;
    });
  }
}
