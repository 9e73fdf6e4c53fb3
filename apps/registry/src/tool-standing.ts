import type { Entitlements } from '@skillgate/contracts/entitlements';
import type { ToolEffect, ToolPolicy } from '@skillgate/contracts/words';
import type { DecidedPolicy } from '@skillgate/gating/tool-policy';
import type { ApprovedTool } from './approved-tool.js';
import type { Profile, Profiles } from './profiles.js';
import type { ServedTools } from './served-tools.js';
import { goOnWithout } from './without-it.js';

/** Why something that a skill asked for does not open; the model and the user read the sentence. */
export interface Withholding {
  readonly slug:
    | 'unknown-profile'
    | 'capability-missing'
    | 'integration-missing'
    | 'unserved'
    | 'not-approved'
    | 'executor-away'
    | 'versions-differ'
    | 'policy-denies'
    | 'too-many-tools'
    | 'skill-never';
  readonly message: string;
  /** Where a policy alone keeps it shut. */
  readonly policy?: ToolPolicy;
}

/** A tool that may be used: at once, or each call when its user said yes to it. */
export interface StandingTool {
  readonly tool: ApprovedTool;
  readonly policy: Exclude<ToolPolicy, 'deny'>;
}

export type Standing = StandingTool | { readonly withheld: Withholding };

export const withhold = (slug: Withholding['slug'], message: string): { withheld: Withholding } => ({ withheld: { slug, message } });

/** What this account's words and those of the house come to, for a profile. */
export type PolicyOf = (profile: Profile, effect: ToolEffect) => DecidedPolicy;

export interface StandingFacts {
  readonly entitlements: Pick<Entitlements, 'capabilities' | 'integrations'>;
  readonly profiles: Profiles;
  readonly served: ServedTools;
  readonly policyOf: PolicyOf;
}

/** May this account use this tool of this profile now? The only place that says yes. */
export function toolStanding(name: string, profile: Profile, { entitlements, profiles, served, policyOf }: StandingFacts): Standing {
  if (profile.capability && !entitlements.capabilities.includes(profile.capability)) {
    return withhold('capability-missing', `The account's plan has no "${profile.capability}"; its owner can change the plan.`);
  }
  const missing = profiles.integrationsOf(profile, name).filter((integration) => !entitlements.integrations.includes(integration));
  if (missing.length > 0) {
    return withhold('integration-missing', `Not connected: ${missing.join(', ')}. The user can connect it in the account's settings.`);
  }
  const tool = served.approved(name);
  if (!tool || tool.profile !== profile.name) {
    return served.isAnnounced(name)
      ? withhold('not-approved', 'An executor offers it, but no operator has approved it yet.')
      : withhold('unserved', goOnWithout('No executor of this installation serves it'));
  }
  // Before liveness: what a policy keeps shut stays shut when the executor comes back.
  const { policy, layer } = policyOf(profile, tool.effect);
  if (policy === 'deny') return { withheld: { ...deniedBy(layer, tool.effect), policy } };
  switch (served.liveness(tool)) {
    case 'serving':
      return { tool, policy };
    case 'changed':
      return withhold('not-approved', `The executor "${tool.executor}" announces another schema than an operator approved.`);
    case 'mixed':
      return withhold('versions-differ', `Two versions of the executor "${tool.executor}" run side by side and take different arguments; it opens when the older one is gone.`);
    case 'away':
      return withhold('executor-away', `The executor "${tool.executor}" has not been heard for some seconds; try again later.`);
  }
}

const speaker: Record<DecidedPolicy['layer'], string> = {
  profile: "the profile's own policy",
  operator: 'the operator of this installation',
  admin: "the account's admin",
};

const deniedBy = (layer: DecidedPolicy['layer'], effect: ToolEffect): Withholding => ({
  slug: 'policy-denies',
  message: goOnWithout(`Tools here with the effect "${effect}" are denied by ${speaker[layer]}`, 'them'),
});
