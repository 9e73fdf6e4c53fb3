import { z } from 'zod';
import { defineAuditCall } from '../audit.js';
import { authority, authorityRefusals } from '../authority.js';
import { defineCall } from '../define-call.js';
import { entitlements, limitOverrides, limits, role } from '../entitlements.js';
import { displayName, faultOfName, keepable, plainText } from '../plain-text.js';
import { accountId, jws, skillSlug, skillState, skillStateEdit, skillStates, userId } from '../words.js';

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
  refusals: ['token-invalid', 'token-expired', 'unknown-user', 'user-revoked'],
});

/** The facts of an account, at least as new as `minEpoch`. */
export const getEntitlements = defineCall('call.v1.accounts.get-entitlements', {
  input: z.object({ account: accountId, minEpoch: z.number().int().nonnegative().default(0) }),
  output: entitlements,
  refusals: ['unknown-account', 'epoch-not-reached'],
});

/** A right by name: lower-case words with hyphens. Skills and profiles ask for it. */
export const capability = z.string().max(64).regex(/^[a-z0-9]+(-[a-z0-9]+)*$/);
export const tierName = z.string().max(50).regex(/^[a-z0-9]+(-[a-z0-9]+)*$/);

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
  input: z.object({ authority: authority.optional(), name: displayName, tier: z.string(), adminName: displayName.optional() }),
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
  input: z.object({ authority: authority.optional(), account: accountId, tier: z.string() }),
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
  input: z.object({ authority: authority.optional(), account: accountId, integration: z.string(), connected: z.boolean() }),
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

/** So many that the facts of an account still fit one message. */
export const mostPersonas = 40;
export const mostPersonaStates = 60;

/** What an account's users may have a model be: `persona/<slug>` is its model id. */
const personaWritten = {
  name: displayName,
  /** What the account wishes of the model. It is labelled as such and changes no rule of the house. */
  instructions: keepable(z.string().max(20_000)),
  /** Null: the model that is the default here. */
  model: plainText(1, 200).nullable(),
  skills: skillStates.refine((states) => Object.keys(states).length <= mostPersonaStates, `at most ${mostPersonaStates} skills have a state of their own`),
  /** Of those that the account has connected, the ones that this persona reaches; null for all. */
  integrations: z.array(z.string().max(64)).max(50).nullable(),
};

export const personaView = z.object({
  id: z.uuid(),
  slug: skillSlug,
  ...personaWritten,
  revision: z.number().int().positive(),
  createdAt: z.iso.datetime(),
  retiredAt: z.iso.datetime().nullable(),
  /** Of the account, with the persona as it stands here. */
  policyEpoch: z.number().int().nonnegative(),
});
export type PersonaView = z.infer<typeof personaView>;

const personaRefusals = ['unknown-account', 'unknown-persona', 'unknown-integration', ...authorityRefusals];

export const createPersona = defineCall('call.v1.accounts.create-persona', {
  input: z.object({
    authority,
    account: accountId,
    slug: skillSlug,
    ...personaWritten,
    instructions: personaWritten.instructions.default(''),
    model: personaWritten.model.default(null),
    skills: personaWritten.skills.default({}),
    integrations: personaWritten.integrations.default(null),
  }),
  output: personaView,
  /** A slug is given once: also a retired persona keeps it, since chats and routes name it. */
  refusals: [...personaRefusals, 'persona-taken', 'too-many-personas'],
});

/** What is not named stays. `states` edits single skills; `skills` replaces all. */
export const updatePersona = defineCall('call.v1.accounts.update-persona', {
  input: z.object({
    authority,
    account: accountId,
    slug: skillSlug,
    name: personaWritten.name.optional(),
    instructions: personaWritten.instructions.optional(),
    model: personaWritten.model.optional(),
    skills: personaWritten.skills.optional(),
    integrations: personaWritten.integrations.optional(),
    states: skillStateEdit.optional(),
  }),
  output: personaView,
  refusals: [...personaRefusals, 'too-many-states'],
});

/** For good; turns that run as it open nothing any more. */
export const retirePersona = defineCall('call.v1.accounts.retire-persona', {
  input: z.object({ authority, account: accountId, slug: skillSlug }),
  output: personaView,
  refusals: personaRefusals,
});

/** In the order of their slugs, without the retired ones. */
export const listPersonas = defineCall('call.v1.accounts.list-personas', {
  input: z.object({ authority, account: accountId }),
  output: z.object({ personas: z.array(personaView.omit({ instructions: true })) }),
  refusals: personaRefusals,
});

/** Of the ticket's own account; the ticket may be that of a turn. */
export const getPersona = defineCall('call.v1.accounts.get-persona', {
  input: z.object({ ticket: jws, slug: keepable(z.string().max(64)) }),
  output: personaView,
  refusals: ['unknown-persona', 'ticket-invalid', 'ticket-expired'],
});

/** Who a user is to another issuer: `iss` and `sub` of its tokens. */
export const subject = plainText(1, 255).refine((text) => faultOfName(text) === undefined, 'holds a character that nobody sees, or nothing else; leave it out');
export const identity = z.object({ issuer: plainText(1, 500), subject });
export type Identity = z.infer<typeof identity>;

export const userView = z.object({
  id: userId,
  account: accountId,
  name: z.string(),
  /** The most that the user's keys and tokens may do. */
  roles: z.array(role),
  identities: z.array(identity),
  createdAt: z.iso.datetime(),
  revokedAt: z.iso.datetime().nullable(),
});
export type UserView = z.infer<typeof userView>;

const userRefusals = ['unknown-account', 'unknown-user', 'role-not-allowed', ...authorityRefusals];

export const createUser = defineCall('call.v1.accounts.create-user', {
  input: z.object({
    authority,
    account: accountId,
    name: displayName,
    roles: z.array(role).min(1).default(['user']),
    /** For people who sign in with another issuer's tokens before it may make users by itself. */
    identity: identity.optional(),
  }),
  output: userView,
  refusals: [...userRefusals, 'identity-taken'],
});

/** Oldest first; `after` is the last id of the page before. */
export const listUsers = defineCall('call.v1.accounts.list-users', {
  input: z.object({ authority, account: accountId, after: userId.optional(), limit: z.number().int().min(1).max(200).default(100) }),
  output: z.object({ users: z.array(userView) }),
  refusals: userRefusals,
});

export const updateUser = defineCall('call.v1.accounts.update-user', {
  input: z.object({
    authority,
    account: accountId,
    user: userId,
    name: displayName.optional(),
    roles: z.array(role).min(1).optional(),
  }),
  output: userView,
  refusals: [...userRefusals, 'user-revoked', 'last-admin', 'last-operator'],
});

/** For good: keys and tokens of the user open nothing any more. */
export const revokeUser = defineCall('call.v1.accounts.revoke-user', {
  input: z.object({ authority, account: accountId, user: userId }),
  output: z.object({ id: userId, revoked: z.literal(true) }),
  refusals: [...userRefusals, 'last-admin', 'last-operator'],
});

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

export const listAudit = defineAuditCall('accounts');
