import { z } from 'zod';
import { authority, authorityRefusals } from './authority.js';
import { defineCall } from './define-call.js';
import { role } from './entitlements.js';
import { accountId, userId } from './words.js';

/** Who did it: a user, by an API key or as the subject of a token, or a service by itself. */
export const actor = z.object({
  account: accountId.optional(),
  user: userId.optional(),
  key: z.uuid().optional(),
  subject: z.string().optional(),
  roles: z.array(role).default([]),
  /** Nobody asked: this service did it, as at its start. */
  service: z.string().optional(),
});
export type Actor = z.infer<typeof actor>;

/** All that an audit log may say was done: the calls that change something, and what services do by themselves. By service. */
export const auditActions = [
  // accounts
  'create-account', 'set-tier', 'set-capabilities', 'set-limits', 'set-integration', 'set-skill-state', 'set-skill-states',
  'set-operator-lock', 'set-admin-lock', 'set-operator-locks', 'set-admin-locks', 'create-persona', 'update-persona', 'retire-persona',
  'create-user', 'update-user', 'revoke-user', 'provision-user', 'create-api-key', 'revoke-api-key', 'repair-operator-key',
  'connect-integration', 'disconnect-integration', 'expire-integration', 'rotate-credentials', 'put-tier', 'delete-tier', 'follow-tier',
  // catalog
  'publish-skill', 'retire-skill', 'make-skill-current', 'set-update-policy', 'save-account-skill', 'submit-account-skill',
  'return-account-skill', 'publish-account-skill', 'retire-account-skill', 'set-chat-skills',
  // registry
  'approve-manifest', 'withdraw-approval', 'set-profile-policy', 'tighten-profile-policy', 'mint-call-grant', 'grant-tool',
  // orchestrator
  'approve-call', 'edit-call', 'deny-call', 'rename-chat', 'delete-chat',
] as const;
export type AuditAction = (typeof auditActions)[number];

/** When and which, so that entries of several services have one order: the time to the microsecond, `_`, the entry's id. */
export const auditCursor = z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z_[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, 'must be the `next` of the page before, unchanged; leave it out for the first page.');

/** One change: who, what, before, after, when. Secrets are in none. */
export const auditEntry = z.object({
  id: z.uuid(),
  service: z.string(),
  /** Null: a change of the platform. */
  account: accountId.nullable(),
  actor,
  /** As the call that made it is named: `set-tier`. */
  action: z.string(),
  /** What was changed: an id, a name. */
  target: z.string(),
  /** Null where there was nothing, as before a creation. */
  before: z.unknown(),
  after: z.unknown(),
  at: z.iso.datetime({ precision: 6 }),
  /** Finds the trace of the change; null when nobody recorded one. */
  traceId: z.string().nullable(),
  /** Give it as `before` to read on behind this entry. */
  cursor: auditCursor,
});
export type AuditEntry = z.infer<typeof auditEntry>;

/**
 * `call.v1.<service>.list-audit`, the same for every service that keeps an audit log: newest first. With an account its
 * changes, without one those of the platform, for operators.
 */
export const defineAuditCall = (service: string) =>
  defineCall(`call.v1.${service}.list-audit`, {
    input: z.object({
      authority,
      account: accountId.optional(),
      before: auditCursor.optional(),
      limit: z.number().int().min(1).max(200).default(50),
      action: z.string().max(100).optional(),
    }),
    output: z.object({ entries: z.array(auditEntry) }),
    refusals: authorityRefusals,
  });

export type AuditCall = ReturnType<typeof defineAuditCall>;
