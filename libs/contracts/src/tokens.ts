import { z } from 'zod';
import { limits, role } from './entitlements.js';
import { accountId, chatId, digest, executorName, profileName, skillSlug, skillStates, toolName, turnId, userId } from './words.js';

const times = {
  /** Seconds since the epoch (RFC 7519 NumericDate). */
  iat: z.number().int(),
  exp: z.number().int(),
  jti: z.string(),
};

/** A persona of the ticket's account, as the gateway found it. */
export const personaRef = z.object({ id: z.uuid(), slug: skillSlug, revision: z.number().int().positive() });
export type PersonaRef = z.infer<typeof personaRef>;

/** Who asks, for what: signed by the gateway. Without `chat` and `turn` it opens files only. */
export const ticketClaims = z.object({
  iss: z.literal('gateway'),
  typ: z.literal('ticket'),
  account: accountId,
  user: userId,
  chat: chatId.optional(),
  turn: turnId.optional(),
  /** Skill states asked for this turn alone. */
  overrides: skillStates.default({}),
  /** The account's policy epoch that the gateway saw: a service that knows less must read through. */
  policyEpoch: z.number().int().nonnegative(),
  /** What the user may do, for changes: absent means nothing. */
  roles: z.array(role).optional(),
  /** The API key that the user showed, or else `sub` of the token of another issuer. */
  key: z.uuid().optional(),
  subject: z.string().max(255).optional(),
  /** As whom the model answers: what this persona says of skills and integrations counts. */
  persona: personaRef.optional(),
  /** True: no human asks, as in a scheduled run. Nothing is approved with such a ticket. */
  unattended: z.boolean().optional(),
  /** What the account may use up; absent means no limit. */
  limits: limits.optional(),
  ...times,
});
export type TicketClaims = z.infer<typeof ticketClaims>;

/** What a skill asks of its surroundings. Each entry is one need; `a|b` inside an entry means either. */
export const skillRequirements = z.object({
  capabilities: z.array(z.string()).default([]),
  integrations: z.array(z.string()).default([]),
  profiles: z.array(profileName).default([]),
  tools: z.array(toolName).default([]),
});
export type SkillRequirements = z.infer<typeof skillRequirements>;

/** This skill was loaded for this ticket: signed by the catalog after asking the resolver. */
export const receiptClaims = z.object({
  iss: z.literal('catalog'),
  typ: z.literal('receipt'),
  /** `jti` of the ticket. */
  ticket: z.string(),
  account: accountId,
  chat: chatId,
  turn: turnId,
  skill: skillSlug,
  version: z.string(),
  digest,
  requires: skillRequirements,
  policyEpoch: z.number().int().nonnegative(),
  ...times,
});
export type ReceiptClaims = z.infer<typeof receiptClaims>;

/** Longest life of a grant in seconds; a downgrade bites after this time at the latest. */
export const grantSeconds = 60;

/** One executor may run these tools for this turn: signed by the registry. */
export const grantClaims = z.object({
  iss: z.literal('registry'),
  typ: z.literal('grant'),
  aud: executorName,
  account: accountId,
  user: userId,
  chat: chatId,
  turn: turnId,
  /** Tool name to the `slug@version#digest` of the skill that opened it. */
  tools: z.record(toolName, z.string()),
  /** Outside systems that these tools work with: for them alone a credential is leased. */
  integrations: z.array(z.string()).optional(),
  policyEpoch: z.number().int().nonnegative(),
  /** A user's approval: for this one call with these arguments alone. Absent: for every call of the turn. */
  call: z.object({ id: z.string(), argumentsHash: digest }).optional(),
  ...times,
});
export type GrantClaims = z.infer<typeof grantClaims>;

/** Seconds that a grant for an approved call lives, from the moment of the approval. */
export const callGrantSeconds = 300;

/** Longest life of an offer in seconds: as long as a turn may wait for its user. */
export const offerSeconds = 7 * 24 * 60 * 60;

/**
 * This skill opened this tool in this turn: signed by the registry for itself, of tools that need their user's yes. It runs
 * nothing; with a user's approval it becomes a grant for one call.
 */
export const offerClaims = z.object({
  iss: z.literal('registry'),
  typ: z.literal('offer'),
  account: accountId,
  user: userId,
  chat: chatId,
  turn: turnId,
  tool: toolName,
  skill: skillSlug,
  version: z.string(),
  digest,
  requires: skillRequirements,
  /** As whom the model answered when it asked. */
  persona: personaRef.optional(),
  ...times,
});
export type OfferClaims = z.infer<typeof offerClaims>;

/** Public halves of a signer's keys: a JWK set (RFC 7517). */
export const publicKeys = z.object({ keys: z.array(z.record(z.string(), z.unknown())) });
export type PublicKeys = z.infer<typeof publicKeys>;
