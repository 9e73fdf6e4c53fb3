import { Controller, Get, Inject, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { auditActions, auditCursor, auditEntry, type AuditEntry } from '@skillgate/contracts/audit';
import { listAudit as ofAccounts, type Principal } from '@skillgate/contracts/calls/accounts';
import { listAudit as ofCatalog } from '@skillgate/contracts/calls/catalog';
import { listAudit as ofOrchestrator } from '@skillgate/contracts/calls/orchestrator';
import { listAudit as ofRegistry } from '@skillgate/contracts/calls/registry';
import { refuse } from '@skillgate/contracts/refusal';
import { accountId } from '@skillgate/contracts/words';
import { holds, may } from '@skillgate/gating/may';
import { z } from 'zod';
import { Allow, Caller } from '../access/access-guard.js';
import { Operation } from '../openapi/operation.js';
import { HouseCalls } from './house-calls.js';
import { mergeAudit } from './merge-audit.js';
import { QueryParts } from './query-parts.js';

/** Each keeps the log of its own changes. */
const keepers = [ofAccounts, ofCatalog, ofRegistry, ofOrchestrator];

const asked = z.strictObject({
  account: accountId.optional().describe('Whose changes. Absent: those of your own account, and for an operator those of the platform.'),
  // A misspelt one would find nothing, and an empty list says that nothing happened.
  action: z.enum(auditActions).optional().describe('Only these, such as `set-tier`.'),
  before: auditCursor.optional().describe('`next` of the page before.'),
  limit: z.coerce.number().int().min(1).max(200).default(50),
});
const answer = z.object({ entries: z.array(auditEntry), next: auditCursor.nullable().describe('Give it as `before` for what is older.') });

@ApiTags('Audit')
@Controller('api/v1/audit')
export class AuditController {
  constructor(@Inject(HouseCalls) private readonly house: HouseCalls) {}

  @Get()
  @Allow('read-audit')
  @Operation({
    summary: 'Who changed what and when, newest first, over all services.',
    query: asked,
    answer,
    refusals: ['not-allowed', 'unknown-account', 'invalid-query'],
  })
  async list(
    @Query(new QueryParts(asked)) { account, ...page }: z.infer<typeof asked>,
    @Caller() principal: Principal,
  ): Promise<{ entries: AuditEntry[]; next: string | null }> {
    const whose = account ?? (holds(principal.roles, 'operator') ? undefined : principal.account);
    const allowed = may(principal, whose ? 'read-audit' : 'read-platform-audit', whose ? { account: whose } : {});
    if (allowed !== true) throw refuse(allowed.slug, allowed.message);
    // All or nothing: a list that lacks a service's changes without a word would be worse than none.
    const wanted = { ...page, ...(whose ? { account: whose } : {}) };
    const lists = await Promise.all(keepers.map((call) => this.house.read(call, principal, wanted)));
    return mergeAudit(
      lists.map(({ entries }) => entries),
      page.limit,
    );
  }
}
