import { describe, expect, it } from '@jest/globals';
import type { SkillState } from '@skillgate/contracts/words';
import { alwaysLoad, alwaysWarnings } from './always-load.js';

const skill = (slug: string, state: SkillState, { usable = true, hidden = false, body = 'one two three four' } = {}) => ({
  decision: { slug, state, layer: 'account' as const, usable, unmet: [] },
  version: {
    ...{ slug, version: '1.0.0', digest: `${slug}-${body}`, title: slug, description: '', hidden, defaultState: 'available' as const, body },
    requires: { capabilities: [], integrations: [], profiles: [], tools: [] },
  },
});

describe('what is always on', () => {
  it('is what is injected, and nothing that is listed, switched off or unmet', () => {
    const load = alwaysLoad([skill('a', 'always'), skill('b', 'available'), skill('c', 'never'), skill('d', 'always', { usable: false })], 100);
    expect(load).toEqual({ skills: ['a'], tokens: 4, budget: 100 });
    expect(alwaysWarnings(load)).toEqual([]);
  });

  it('beyond its budget is a warning that says what and what to do', () => {
    const [warning, ...more] = alwaysWarnings(alwaysLoad([skill('a', 'always'), skill('b', 'always')], 7));
    expect(more).toEqual([]);
    expect(warning).toMatch(/\(a, b\) put 8 tokens .* over the 7 .* "available"/);
  });

  it('just within its budget is none', () => {
    expect(alwaysWarnings(alwaysLoad([skill('a', 'always'), skill('b', 'always')], 8))).toEqual([]);
  });

  it('counts a hidden skill and does not name it', () => {
    const load = alwaysLoad([skill('secret', 'always', { hidden: true })], 1);
    expect(load).toEqual({ skills: [], tokens: 4, budget: 1 });
    expect(alwaysWarnings(load).join()).not.toContain('secret');
  });
});
