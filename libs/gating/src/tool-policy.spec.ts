import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { ToolPolicy } from '@skillgate/contracts/words';
import { decidePolicies, decidePolicy, effects, loosened, type PolicyWords } from './tool-policy.js';

const policies = ['allow', 'confirm', 'deny'] as const;
const external = (policy?: ToolPolicy) => (policy ? { external: policy } : {});

describe('the policy of a tool', () => {
  it.each<[string, ToolPolicy | undefined, ToolPolicy | undefined, ToolPolicy | undefined, string]>([
    ['is to allow where nobody speaks', undefined, undefined, undefined, 'allow by profile'],
    ["is the profile's own", 'confirm', undefined, undefined, 'confirm by profile'],
    ["is the operator's in the place of the profile's, also when that is looser", 'deny', 'allow', undefined, 'allow by operator'],
    ["is the operator's when that is stricter", 'allow', 'deny', undefined, 'deny by operator'],
    ["is the admin's when that is stricter than the profile's", 'confirm', undefined, 'deny', 'deny by admin'],
    ["is the admin's when that is stricter than the operator's", undefined, 'allow', 'confirm', 'confirm by admin'],
    ['is not loosened by an admin who spoke before the operator', undefined, 'deny', 'allow', 'deny by operator'],
    ["is not loosened by an admin against the profile's own", 'confirm', undefined, 'allow', 'confirm by profile'],
    ["is the house's where the admin says the same", 'confirm', undefined, 'confirm', 'confirm by profile'],
  ])('%s', (_sentence, profile, operator, admin, said) => {
    const words = { profile: external(profile), operator: external(operator), admin: external(admin) };
    const { policy, layer } = decidePolicy('external', words);
    expect(`${policy} by ${layer}`).toBe(said);
    expect(decidePolicies(words)).toEqual({ read: { policy: 'allow', layer: 'profile' }, write: { policy: 'allow', layer: 'profile' }, external: { policy, layer } });
  });

  it.each(['Allow', '', null, 1, {}, 'constructor'])('that cannot be read (%j) denies', (word) => {
    expect(decidePolicy('write', { profile: { write: word as never } }).policy).toBe('deny');
    expect(decidePolicy('write', { admin: { write: word as never } }).policy).toBe('deny');
  });
});

describe('for all words', () => {
  const said = fc.record(
    { read: fc.constantFrom(...policies), write: fc.constantFrom(...policies), external: fc.constantFrom(...policies) },
    { requiredKeys: [] },
  );
  const words: fc.Arbitrary<PolicyWords> = fc.record({ profile: said, operator: said, admin: said });

  it('an admin never loosens what the house says', () => {
    fc.assert(
      fc.property(words, fc.constantFrom(...effects), ({ admin, ...house }, effect) => {
        const rank = (policy: ToolPolicy) => policies.indexOf(policy);
        expect(rank(decidePolicy(effect, { ...house, admin }).policy)).toBeGreaterThanOrEqual(rank(decidePolicy(effect, house).policy));
      }),
    );
  });

  it('an admin is told of exactly the words that would come to nothing because they are looser', () => {
    fc.assert(
      fc.property(words, ({ admin = {}, ...house }) => {
        const naive = effects.filter((effect) => admin[effect] && policies.indexOf(admin[effect]) < policies.indexOf(decidePolicy(effect, house).policy));
        expect(loosened(admin, house)).toEqual(naive);
      }),
    );
  });
});
