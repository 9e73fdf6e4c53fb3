import { resolveSkill } from './resolve.js';
import type { Situation } from './skill-facts.js';

/**
 * May this account use tools with this model at all? Asked of the resolver by a skill that needs nothing else, so that
 * the answer cannot drift from what decides the skills.
 */
export const toolsAllowed = ({ entitlements, modelUsesTools }: Situation): boolean =>
  resolveSkill(bare, {
    entitlements,
    modelUsesTools,
    layers: { turn: {}, chat: {}, persona: {}, account: {} },
    locks: { operator: {}, admin: {} },
  }).usable;

const bare = {
  slug: 'any-tool',
  hidden: false,
  defaultState: 'available' as const,
  requires: { capabilities: [], integrations: [], profiles: [], tools: [] },
};
