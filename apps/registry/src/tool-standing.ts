import type { Entitlements } from '@skillgate/contracts/entitlements';
import type { ApprovedTool } from './approved-tool.js';
import { policyFor } from './policy.js';
import type { Profile, Profiles } from './profiles.js';
import type { ServedTools } from './served-tools.js';

/** Why something that a skill asked for does not open; the model and the user read the sentence. */
export interface Withholding {
  readonly slug:
    | 'unknown-profile'
    | 'capability-missing'
    | 'integration-missing'
    | 'unserved'
    | 'not-approved'
    | 'executor-away'
    | 'policy-denied'
    | 'too-many-tools'
    | 'skill-never';
  readonly message: string;
}

export type Standing = { readonly tool: ApprovedTool } | { readonly withheld: Withholding };

export const withhold = (slug: Withholding['slug'], message: string): { withheld: Withholding } => ({ withheld: { slug, message } });

export interface StandingFacts {
  readonly entitlements: Pick<Entitlements, 'capabilities' | 'integrations'>;
  readonly profiles: Profiles;
  readonly served: ServedTools;
}

/** May this account use this tool of this profile now? The only place that says yes. */
export function toolStanding(name: string, profile: Profile, { entitlements, profiles, served }: StandingFacts): Standing {
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
      : withhold('unserved', 'No executor of this installation serves it; go on without it.');
  }
  if (policyFor(profile, tool.effect) === 'deny') {
    return withhold('policy-denied', `This installation allows no tool of "${profile.name}" with the effect "${tool.effect}"; go on without it.`);
  }
  switch (served.liveness(tool)) {
    case 'serving':
      return { tool };
    case 'changed':
      return withhold('not-approved', `The executor "${tool.executor}" announces another schema than an operator approved.`);
    case 'away':
      return withhold('executor-away', `The executor "${tool.executor}" has not been heard for some seconds; try again later.`);
  }
}
