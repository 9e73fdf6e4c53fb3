import { z } from 'zod';
import { accountId, skillState, skillStates, skillSlug } from './words.js';

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
  /** Grows by one with each change above. */
  policyEpoch: z.number().int().nonnegative(),
});
export type Entitlements = z.infer<typeof entitlements>;

export const role = z.enum(['user', 'admin', 'operator']);
export type Role = z.infer<typeof role>;
