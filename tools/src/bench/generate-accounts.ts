import { integrationNames } from '@skillgate/contracts/integrations';
import type { SkillState } from '@skillgate/contracts/words';
import type { Situation, SkillFacts } from '@skillgate/gating/skill-facts';
import { pick, seeded, zipf } from './seeded.js';

const tiers = [[], ['tools'], ['tools', 'subagents'], ['tools', 'subagents', 'sandbox', 'skill-authoring']] as const;
const profiles = ['docs', 'analytics', 'workspace', 'subagents', 'google', 'microsoft', 'notion', 'slack', 'cloze', 'appleCalendar', 'scheduledJobs', 'personas'];
const states: readonly SkillState[] = ['always', 'available', 'never'];

/** Skills that ask for what the skills of this house ask for: most for tools and one profile, a third for an integration. */
export function generateFacts(count: number, seed = 2): SkillFacts[] {
  const random = seeded(seed);
  return Array.from({ length: count }, (_, number) => {
    const integration = random() < 0.35 ? [random() < 0.2 ? 'gmail|outlook' : pick(integrationNames, random)] : [];
    return {
      slug: `skill-${number}`,
      hidden: random() < 0.02,
      defaultState: random() < 0.9 ? 'available' : pick(states, random),
      requires: {
        capabilities: random() < 0.85 ? ['tools'] : [pick(['subagents', 'sandbox', 'skill-authoring'], random)],
        integrations: integration,
        profiles: random() < 0.9 ? [pick(profiles, random)] : [],
        tools: random() < 0.7 ? ['docs_read_text'] : [],
      },
    };
  });
}

/**
 * Situations of accounts: a tier, up to four integrations (the first of the list more often), states of up to six skills, in
 * some a persona's, a chat's and a turn's, and a lock or two. Profiles are served in all of them alike, as in one house.
 */
export function generateAccounts(count: number, slugs: readonly string[], seed = 3): Situation[] {
  const random = seeded(seed);
  const popular = zipf(integrationNames.length, random);
  const some = (most: number, words: readonly SkillState[]) =>
    Object.fromEntries(Array.from({ length: Math.floor(random() * (most + 1)) }, () => [pick(slugs, random), pick(words, random)]));
  const served = new Set(profiles.filter((name) => name !== 'cloze'));
  const operator = { [slugs[0]!]: 'never' as const, [slugs[slugs.length >> 1]!]: 'always' as const };
  return Array.from({ length: count }, () => ({
    layers: {
      turn: random() < 0.05 ? some(2, states) : {},
      chat: random() < 0.1 ? some(3, states) : {},
      persona: random() < 0.2 ? some(4, states) : {},
      account: some(6, states),
    },
    locks: { operator, admin: random() < 0.1 ? (some(2, ['always', 'never']) as Record<string, 'always' | 'never'>) : {} },
    entitlements: {
      capabilities: [...pick(tiers, random)],
      integrations: Array.from({ length: Math.floor(random() * 5) }, () => integrationNames[popular()]!),
    },
    servedProfiles: served,
    modelUsesTools: random() < 0.97,
  }));
}
