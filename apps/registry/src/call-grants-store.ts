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
}

/** Who said yes to which call. What becomes of a yes is decided where the turn stands, and nowhere else: here none shuts out another. */
@Injectable()
export class CallGrantsStore {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Writes into the audit log who approved it.
   *
   * @param action as the call that granted it is named
   */
  record({ account, turn, callId, argumentsHash, tool, grant }: CallGrant, actor: Actor, action: AuditAction): Promise<void> {
    return inAccount(this.dataSource, account, async (sql) => {
      await recordAudit(sql, { account, actor, action, target: tool, after: { turn, callId, argumentsHash, grant } });
    });
  }
}
