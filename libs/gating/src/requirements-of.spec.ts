import { describe, expect, it } from '@jest/globals';
import { resolveSkill } from './resolve.js';
import { requirementsOf } from './requirements-of.js';

const requires = { capabilities: ['sandbox'], integrations: ['gmail|outlook', 'drive'], profiles: ['google'], tools: [] };
const decide = (capabilities: string[], integrations: string[], served: string[], modelUsesTools = true) =>
  resolveSkill(
    { slug: 'mail', hidden: false, defaultState: 'available', requires },
    {
      layers: { turn: {}, chat: {}, persona: {}, account: {} },
      locks: { operator: {}, admin: {} },
      entitlements: { capabilities, integrations },
      servedProfiles: new Set(served),
      modelUsesTools,
    },
  );
const told = (decision: ReturnType<typeof decide>) => requirementsOf(requires, decision).map(({ kind, need, met }) => `${met ? '+' : '-'} ${kind} ${need}`);

describe('the requirements of a skill', () => {
  it('are all met where the skill is usable', () => {
    expect(told(decide(['tools', 'sandbox'], ['outlook', 'drive'], ['google']))).toEqual([
      '+ capability sandbox',
      '+ integration gmail|outlook',
      '+ integration drive',
      '+ profile google',
    ]);
  });

  it('say of each whether it is met', () => {
    expect(told(decide(['tools'], ['drive'], []))).toEqual(['- capability sandbox', '- integration gmail|outlook', '+ integration drive', '- profile google']);
  });

  it('have what the house itself asks for behind what the package names', () => {
    expect(told(decide(['sandbox'], ['gmail', 'drive'], ['google'], false)).slice(4)).toEqual(['- capability tools', '- model tools']);
  });

  it('hold one unmet entry for each reason of a decision', () => {
    const decision = decide([], [], [], false);
    expect(told(decision).filter((line) => line.startsWith('-'))).toHaveLength(decision.unmet.length);
  });
});
