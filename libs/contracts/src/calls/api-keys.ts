import { z } from 'zod';
import { authority, authorityRefusals } from '../authority.js';
import { defineCall } from '../define-call.js';
import { role } from '../entitlements.js';
import { displayName } from '../plain-text.js';
import { accountId, userId } from '../words.js';

export const createApiKey = defineCall('call.v1.accounts.create-api-key', {
  input: z.object({
    authority: authority.optional(),
    account: accountId,
    user: userId.optional(),
    name: displayName,
    roles: z.array(role).default(['user']),
    expiresAt: z.iso.datetime().optional(),
  }),
  /** `secret` is shown here once and stored as a hash. */
  output: z.object({
    id: z.uuid(),
    name: z.string(),
    user: userId,
    secret: z.string(),
    createdAt: z.iso.datetime(),
    expiresAt: z.iso.datetime().nullable().optional(),
  }),
  /** `role-not-allowed`: more than its user may do, or than the caller may give; `operator` is for the operator account. */
  refusals: ['unknown-account', 'unknown-user', 'role-not-allowed', 'expiry-past', ...authorityRefusals],
});

export const apiKeyView = z.object({
  id: z.uuid(),
  user: userId,
  name: z.string(),
  roles: z.array(role),
  /** The first characters of the secret, to tell keys apart. */
  prefix: z.string(),
  createdAt: z.iso.datetime(),
  expiresAt: z.iso.datetime().nullable(),
  revokedAt: z.iso.datetime().nullable(),
  /** To the hour. */
  lastUsedAt: z.iso.datetime().nullable(),
});
export type ApiKeyView = z.infer<typeof apiKeyView>;

/** Newest first, of the whole account or of one user; the secrets are nowhere. */
export const listApiKeys = defineCall('call.v1.accounts.list-api-keys', {
  input: z.object({ authority, account: accountId, user: userId.optional() }),
  output: z.object({ keys: z.array(apiKeyView) }),
  refusals: ['unknown-account', ...authorityRefusals],
});

export const revokeApiKey = defineCall('call.v1.accounts.revoke-api-key', {
  input: z.object({ authority: authority.optional(), account: accountId, key: z.uuid() }),
  output: z.object({ id: z.uuid(), revoked: z.literal(true) }),
  refusals: ['unknown-key', 'role-not-allowed', 'last-operator', ...authorityRefusals],
});
