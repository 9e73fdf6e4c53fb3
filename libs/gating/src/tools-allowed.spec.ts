import { describe, expect, it } from '@jest/globals';
import { toolsAllowed } from './tools-allowed.js';

const none = { turn: {}, chat: {}, persona: {}, account: {} };

describe('tools', () => {
  it.each([
    ['an account with the capability and a model with tools', ['tools'], true, true],
    ['an account without the capability', [], true, false],
    ['a model without tools', ['tools'], false, false],
  ])('are decided for %s', (_whom, capabilities, modelUsesTools, allowed) => {
    const situation = {
      layers: none,
      locks: { operator: {}, admin: {} },
      entitlements: { capabilities, integrations: [] },
      modelUsesTools,
    };
    expect(toolsAllowed(situation)).toBe(allowed);
  });

  it('are not switched off by a setting for a skill of some name', () => {
    const never = { 'any-tool': 'never' as const };
    const situation = {
      layers: { ...none, turn: never },
      locks: { operator: never, admin: {} },
      entitlements: { capabilities: ['tools'], integrations: [] },
      modelUsesTools: true,
    };
    expect(toolsAllowed(situation)).toBe(true);
  });
});
