import { Inject, Injectable } from '@nestjs/common';
import type { setProfilePolicy, tightenProfilePolicy } from '@skillgate/contracts/calls/registry';
import type { CallAnswer, CallParsedInput } from '@skillgate/contracts/define-call';
import { refuse } from '@skillgate/contracts/refusal';
import type { ToolEffect } from '@skillgate/contracts/words';
import { permit } from '@skillgate/gating/permit';
import { decidePolicies, decidePolicy, loosened, type PolicyWords } from '@skillgate/gating/tool-policy';
import { EntitlementsProjection } from '@skillgate/store/entitlements-projection';
import { PROFILES } from './inject.js';
import { PoliciesStore, type PolicyChange } from './policies-store.js';
import type { Profile, Profiles } from './profiles.js';
import { ShownTokens } from './shown-tokens.js';

/** The operator's word for all accounts, and an admin's for the own one, which only tightens. */
@Injectable()
export class SetPolicy {
  constructor(
    private readonly tokens: ShownTokens,
    private readonly policies: PoliciesStore,
    private readonly entitlements: EntitlementsProjection,
    @Inject(PROFILES) private readonly profiles: Profiles,
  ) {}

  async forHouse({ authority, profile: name, policy }: CallParsedInput<typeof setProfilePolicy>): Promise<CallAnswer<typeof setProfilePolicy>> {
    const actor = await permit((token) => this.tokens.anyTicket(token), authority, 'set-profile-policy');
    const words = await this.policies.setForHouse(this.known(name), policy, actor);
    return { profile: name, said: words.operator ?? {}, policy: decidePolicies(words) };
  }

  async forAccount(asked: CallParsedInput<typeof tightenProfilePolicy>): Promise<CallAnswer<typeof tightenProfilePolicy>> {
    const { authority, account, profile: name, policy } = asked;
    const actor = await permit((token) => this.tokens.anyTicket(token), authority, 'tighten-profile-policy', { account });
    const profile = this.known(name);
    await this.entitlements.of(account, 0); // refuses `unknown-account`
    const words = await this.policies.setForAccount(account, profile, policy, actor, (after) => refuseLoosening(name, policy, after));
    return { profile: name, said: words.admin ?? {}, policy: decidePolicies(words) };
  }

  private known(name: string): Profile {
    const profile = this.profiles.get(name);
    if (!profile) throw refuse('unknown-profile', `There is no profile "${name}"; GET /api/v1/profiles lists them.`);
    return profile;
  }
}

/** What is said now may not be looser than the house. What was said before, and the house has overtaken, harms nobody. */
function refuseLoosening(profile: string, change: PolicyChange, { admin = {}, ...house }: PolicyWords): void {
  const now = Object.keys(change) as ToolEffect[];
  const loose = loosened(admin, house).filter((effect) => now.includes(effect));
  if (loose.length === 0) return;
  const holding = loose.map((effect) => `${effect} is "${decidePolicy(effect, house).policy}"`).join(', ');
  throw refuse('policy-loosens', `An account may only be stricter than the house. In "${profile}" ${holding}; ask the operator to change that.`);
}
