import type { EffectPolicies, ToolEffect, ToolPolicy } from '@skillgate/contracts/words';

/** What was said of a profile's tools, by effect; who is silent is absent. */
export interface PolicyWords {
  /** As the profile is shipped. */
  readonly profile?: EffectPolicies | undefined;
  readonly operator?: EffectPolicies | undefined;
  /** Of the account's admin. */
  readonly admin?: EffectPolicies | undefined;
}

export interface DecidedPolicy {
  readonly policy: ToolPolicy;
  readonly layer: 'profile' | 'operator' | 'admin';
}

const strictness: Record<ToolPolicy, number> = { allow: 0, confirm: 1, deny: 2 };
export const effects = ['read', 'write', 'external'] as const satisfies readonly ToolEffect[];

/**
 * The operator's word in the place of the profile's own, `allow` where both are silent; the admin's only where it is stricter,
 * also when the house became stricter after the admin spoke. Total: a word that cannot be read denies.
 */
export function decidePolicy(effect: ToolEffect, { profile, operator, admin }: PolicyWords): DecidedPolicy {
  const house: DecidedPolicy =
    operator?.[effect] === undefined
      ? { policy: profile?.[effect] === undefined ? 'allow' : readable(profile[effect]), layer: 'profile' }
      : { policy: readable(operator[effect]), layer: 'operator' };
  if (admin?.[effect] === undefined) return house;
  const own = readable(admin[effect]);
  return strictness[own] > strictness[house.policy] ? { policy: own, layer: 'admin' } : house;
}

export const decidePolicies = (words: PolicyWords): Record<ToolEffect, DecidedPolicy> => ({
  read: decidePolicy('read', words),
  write: decidePolicy('write', words),
  external: decidePolicy('external', words),
});

/** Effects for which these words of an admin would be looser than the house. */
export function loosened(admin: EffectPolicies, house: Omit<PolicyWords, 'admin'>): ToolEffect[] {
  return effects.filter((effect) => {
    const own = admin[effect];
    return own !== undefined && strictness[readable(own)] < strictness[decidePolicy(effect, house).policy];
  });
}

const readable = (policy: unknown): ToolPolicy =>
  typeof policy === 'string' && Object.hasOwn(strictness, policy) ? (policy as ToolPolicy) : 'deny';
