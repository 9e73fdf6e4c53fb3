import { z } from 'zod';
import { defineAuditCall } from '../audit.js';
import { authority, authorityRefusals } from '../authority.js';
import { defineCall } from '../define-call.js';
import { entitlements, limitOverrides, limits, role } from '../entitlements.js';
import { displayName, keepable } from '../plain-text.js';
import { accountId, skillSlug, skillState, skillStateEdit, userId } from '../words.js';

/** Who an API key stands for. */
export const principal = z.object({
  account: accountId,
  accountName: z.string(),
  user: userId,
  key: z.uuid(),
  roles: z.array(role),
  tier: z.string(),
  capabilities: z.array(z.string()),
  limits: limits.optional(),
  policyEpoch: z.number().int().nonnegative(),
  /** Seconds since the epoch; from then on the key opens nothing. */
  expiresAt: z.number().int().optional(),
});

export type KeyPrincipal = z.infer<typeof principal>;

/** Who a token of another issuer stands for: a user and no key. */
export const tokenPrincipal = principal.omit({ key: true }).extend({ issuer: z.string(), subject: z.string() });

/** Who asks, however they showed it: `key` or `subject`. */
export type Principal = Omit<KeyPrincipal, 'key'> & { key?: string; issuer?: string; subject?: string };

export const authenticate = defineCall('call.v1.accounts.authenticate', {
  input: z.object({ key: z.string().max(200) }),
  output: principal,
  refusals: ['unknown-key'],
});

/** The same for a JWT of an issuer that the operator configured. */
export const authenticateToken = defineCall('call.v1.accounts.authenticate-token', {
  input: z.object({ token: z.string().max(16_384) }),
  output: tokenPrincipal,
  /** `token-invalid` for whatever is wrong with the token, so that a guesser learns nothing; the log of accounts says what. */
  refusals: ['token-invalid', 'token-expired', 'unknown-user', 'user-revoked', 'token-without-role'],
});

/** The facts of an account, at least as new as `minEpoch`. */
export const getEntitlements = defineCall('call.v1.accounts.get-entitlements', {
  input: z.object({ account: accountId, minEpoch: z.number().int().nonnegative().default(0) }),
  output: entitlements,
  refusals: ['unknown-account', 'epoch-not-reached'],
});

/** A right by name: lower-case words with hyphens. Skills and profiles ask for it. */
export const capability = z.string().max(64).regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'must be lower-case letters and digits, with single hyphens between them');
export const tierName = z.string().max(50).regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'must be lower-case letters and digits, with single hyphens between them');

export const accountView = z.object({
  id: accountId,
  name: z.string(),
  tier: z.string(),
  capabilities: z.array(z.string()),
  integrations: z.array(z.string()),
  policyEpoch: z.number().int().nonnegative(),
  createdAt: z.iso.datetime(),
  /** What counts: the tier's limits with the account's own in their place. */
  limits: limits.optional(),
  /** What the account has beside its tier. */
  extraCapabilities: z.array(z.string()).optional(),
  limitOverrides: limitOverrides.optional(),
  /** The first user, with the role `admin`; in the answer of `create-account` alone. */
  admin: userId.optional(),
});

export const createAccount = defineCall('call.v1.accounts.create-account', {
  input: z.object({ authority: authority.optional(), name: displayName, tier: keepable(z.string()), adminName: displayName.optional() }),
  output: accountView,
  refusals: ['unknown-tier', ...authorityRefusals],
});

export const getAccount = defineCall('call.v1.accounts.get-account', {
  input: z.object({ account: accountId }),
  output: accountView,
  refusals: ['unknown-account'],
});

/** Oldest first; `after` is the last id of the page before. */
export const listAccounts = defineCall('call.v1.accounts.list-accounts', {
  input: z.object({ authority, after: accountId.optional(), limit: z.number().int().min(1).max(100).default(50) }),
  output: z.object({ accounts: z.array(accountView) }),
  refusals: ['unknown-account', ...authorityRefusals],
});

export const tier = z.object({ name: tierName, capabilities: z.array(capability).max(100), limits });
export type Tier = z.infer<typeof tier>;

export const listTiers = defineCall('call.v1.accounts.list-tiers', {
  input: z.object({ authority }),
  output: z.object({ tiers: z.array(tier.extend({ accounts: z.number().int().nonnegative() })) }),
  refusals: authorityRefusals,
});

/**
 * Defines a tier or changes it. The accounts on it follow one by one, each with an epoch and an event of its own; if the
 * service dies on the way, another replica goes on.
 */
export const putTier = defineCall('call.v1.accounts.put-tier', {
  input: tier.extend({ authority }),
  /** `following`: accounts that were told within this call; `behind`: those that are still to come. */
  output: tier.extend({ following: z.number().int().nonnegative(), behind: z.number().int().nonnegative() }),
  refusals: authorityRefusals,
  deadlineMs: 30_000,
});

/** Refused while an account is on it. */
export const deleteTier = defineCall('call.v1.accounts.delete-tier', {
  input: z.object({ authority, name: tierName }),
  output: z.object({ name: z.string(), deleted: z.literal(true) }),
  refusals: ['unknown-tier', 'tier-in-use', ...authorityRefusals],
});

export const setTier = defineCall('call.v1.accounts.set-tier', {
  input: z.object({ authority: authority.optional(), account: accountId, tier: keepable(z.string()) }),
  output: accountView,
  refusals: ['unknown-account', 'unknown-tier', ...authorityRefusals],
});

/** All that the account has beside its tier; what is not named goes. */
export const setCapabilities = defineCall('call.v1.accounts.set-capabilities', {
  input: z.object({ authority, account: accountId, capabilities: z.array(capability).max(100) }),
  output: accountView,
  refusals: ['unknown-account', ...authorityRefusals],
});

/** All that the account has instead of its tier's limits; what is not named is the tier's again. */
export const setLimits = defineCall('call.v1.accounts.set-limits', {
  input: z.object({ authority, account: accountId, limits: limitOverrides }),
  output: accountView,
  refusals: ['unknown-account', ...authorityRefusals],
});

/** Marks an outside system as connected or not, by an operator; `connected` needs no credential, and `disconnected` wipes what is held. */
export const setIntegration = defineCall('call.v1.accounts.set-integration', {
  input: z.object({ authority: authority.optional(), account: accountId, integration: keepable(z.string()), connected: z.boolean() }),
  output: accountView,
  refusals: ['unknown-account', 'unknown-integration', ...authorityRefusals],
});

/** A skill's state at account scope; `null` removes the setting. */
export const setSkillState = defineCall('call.v1.accounts.set-skill-state', {
  input: z.object({ authority: authority.optional(), account: accountId, skill: skillSlug, state: skillState.nullable() }),
  output: entitlements,
  refusals: ['unknown-account', ...authorityRefusals],
});

/** Binds a skill's state for every scope; `null` removes the lock. The operator's lock stands above the admin's. */
export const setSkillLock = defineCall('call.v1.accounts.set-skill-lock', {
  input: z.object({
    authority: authority.optional(),
    account: accountId,
    skill: skillSlug,
    by: z.enum(['operator', 'admin']),
    state: skillState.exclude(['available']).nullable(),
  }),
  output: entitlements,
  refusals: ['unknown-account', ...authorityRefusals],
});

/** Many states at account scope, all of them or none. */
export const setSkillStates = defineCall('call.v1.accounts.set-skill-states', {
  input: z.object({ authority, account: accountId, states: skillStateEdit }),
  output: entitlements,
  refusals: ['unknown-account', ...authorityRefusals],
});

/** Many locks of one kind, all of them or none. */
export const setSkillLocks = defineCall('call.v1.accounts.set-skill-locks', {
  input: z.object({
    authority,
    account: accountId,
    by: z.enum(['operator', 'admin']),
    locks: z.record(skillSlug, skillState.exclude(['available']).nullable()),
  }),
  output: entitlements,
  refusals: ['unknown-account', ...authorityRefusals],
});

export const listAudit = defineAuditCall('accounts');
