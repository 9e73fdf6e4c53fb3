import { z } from 'zod';
import { defineCall } from '../define-call.js';
import { entitlements, role } from '../entitlements.js';
import { accountId, skillSlug, skillState, userId } from '../words.js';

/** Who an API key stands for. */
export const principal = z.object({
  account: accountId,
  accountName: z.string(),
  user: userId,
  key: z.uuid(),
  roles: z.array(role),
  tier: z.string(),
  capabilities: z.array(z.string()),
  policyEpoch: z.number().int().nonnegative(),
});
export type Principal = z.infer<typeof principal>;

export const authenticate = defineCall('call.v1.accounts.authenticate', {
  input: z.object({ key: z.string().max(200) }),
  output: principal,
  refusals: ['unknown-key'],
});

/** The facts of an account, at least as new as `minEpoch`. */
export const getEntitlements = defineCall('call.v1.accounts.get-entitlements', {
  input: z.object({ account: accountId, minEpoch: z.number().int().nonnegative().default(0) }),
  output: entitlements,
  refusals: ['unknown-account', 'epoch-not-reached'],
});

export const accountView = z.object({
  id: accountId,
  name: z.string(),
  tier: z.string(),
  capabilities: z.array(z.string()),
  integrations: z.array(z.string()),
  policyEpoch: z.number().int().nonnegative(),
  createdAt: z.iso.datetime(),
});

export const createAccount = defineCall('call.v1.accounts.create-account', {
  input: z.object({ name: z.string().min(1).max(100), tier: z.string() }),
  output: accountView,
  refusals: ['unknown-tier'],
});

export const getAccount = defineCall('call.v1.accounts.get-account', {
  input: z.object({ account: accountId }),
  output: accountView,
  refusals: ['unknown-account'],
});

export const setTier = defineCall('call.v1.accounts.set-tier', {
  input: z.object({ account: accountId, tier: z.string() }),
  output: accountView,
  refusals: ['unknown-account', 'unknown-tier'],
});

/** Marks an outside system as connected or not; credentials are not part of it. */
export const setIntegration = defineCall('call.v1.accounts.set-integration', {
  input: z.object({ account: accountId, integration: z.string(), connected: z.boolean() }),
  output: accountView,
  refusals: ['unknown-account', 'unknown-integration'],
});

/** A skill's state at account scope; `null` removes the setting. */
export const setSkillState = defineCall('call.v1.accounts.set-skill-state', {
  input: z.object({ account: accountId, skill: skillSlug, state: skillState.nullable() }),
  output: entitlements,
  refusals: ['unknown-account'],
});

/** Binds a skill's state for every scope; `null` removes the lock. The operator's lock stands above the admin's. */
export const setSkillLock = defineCall('call.v1.accounts.set-skill-lock', {
  input: z.object({
    account: accountId,
    skill: skillSlug,
    by: z.enum(['operator', 'admin']),
    state: skillState.exclude(['available']).nullable(),
  }),
  output: entitlements,
  refusals: ['unknown-account'],
});

export const createApiKey = defineCall('call.v1.accounts.create-api-key', {
  input: z.object({ account: accountId, user: userId.optional(), name: z.string().min(1).max(100), roles: z.array(role).default(['user']) }),
  /** `secret` is shown here once and stored as a hash. */
  output: z.object({ id: z.uuid(), name: z.string(), user: userId, secret: z.string(), createdAt: z.iso.datetime() }),
  /** `role-not-allowed`: the role `operator` is for keys of the operator account. */
  refusals: ['unknown-account', 'unknown-user', 'role-not-allowed'],
});

export const revokeApiKey = defineCall('call.v1.accounts.revoke-api-key', {
  input: z.object({ account: accountId, key: z.uuid() }),
  output: z.object({ id: z.uuid(), revoked: z.literal(true) }),
  refusals: ['unknown-key'],
});
