import { z } from 'zod';
import { accountId, skillState, skillStates, skillSlug } from './words.js';

/** The most of a thing; null for no limit. */
const most = z.number().int().nonnegative().nullable();

/** What an account may use up. Days are those of UTC; tokens count input and output of models. */
export const limits = z.object({
  turnsPerDay: most.default(null),
  tokensPerDay: most.default(null),
  parallelTurns: most.default(null),
});
export type Limits = z.infer<typeof limits>;

export const noLimits: Limits = { turnsPerDay: null, tokensPerDay: null, parallelTurns: null };

/** What an account has instead of its tier's limits: absent is the tier's, null is none. */
export const limitOverrides = z.object({
  turnsPerDay: most.optional(),
  tokensPerDay: most.optional(),
  parallelTurns: most.optional(),
});
export type LimitOverrides = z.infer<typeof limitOverrides>;

/** What a persona changes of what its account may use: states of skills, and which of the connected systems are reached. */
export const personaFacts = z.object({
  id: z.uuid(),
  slug: skillSlug,
  /** Grows by one with each change of the persona. */
  revision: z.number().int().positive(),
  skills: skillStates,
  /** Null: all that the account has connected. */
  integrations: z.array(z.string()).nullable(),
});
export type PersonaFacts = z.infer<typeof personaFacts>;

/** What an account may use and has connected: the facts that the resolver decides on. */
export const entitlements = z.object({
  account: accountId,
  tier: z.string(),
  capabilities: z.array(z.string()),
  /** Names of integrations whose status is `connected`. */
  integrations: z.array(z.string()),
  /** Account settings: the outermost scope of skill states. */
  skills: skillStates.default({}),
  /** Locks bind every scope; the operator's stand above the admin's. */
  locks: z
    .object({
      operator: z.record(skillSlug, skillState.exclude(['available'])).default({}),
      admin: z.record(skillSlug, skillState.exclude(['available'])).default({}),
    })
    .default({ operator: {}, admin: {} }),
  /** Absent where nothing is known of them, as in facts from before there were limits: then there are none. */
  limits: limits.optional(),
  /** Those that are not retired. */
  personas: z.array(personaFacts).optional(),
  /** Grows by one with each change above. */
  policyEpoch: z.number().int().nonnegative(),
});
export type Entitlements = z.infer<typeof entitlements>;

export const role = z.enum(['user', 'admin', 'operator']);
export type Role = z.infer<typeof role>;
