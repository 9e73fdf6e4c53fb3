import { describe, expect, it } from '@jest/globals';
import { changedFacts } from './changed-facts.js';
import type { TurnFacts } from './entities.js';

const tokens = { base: 1, catalog: 2, loaded: 0, tools: 3, conversation: 4, monolith: 0 };
const withheld = [{ slug: 'mail', state: 'available', layer: 'skill', usable: false, unmet: [] }] as unknown as TurnFacts['withheld'];
const facts = (change: Partial<TurnFacts> = {}): TurnFacts => ({ visible: ['memo', 'review'], withheld, tokens, catalogHash: 'a', warnings: ['Look.'], ...change });

describe('what a commit writes of the facts of a turn', () => {
  it('is all of it at first', () => {
    expect(changedFacts(null, facts())).toEqual({ facts: facts(), amend: false });
  });

  it('is what changed after that, also where lists were made anew', () => {
    const more = { ...tokens, loaded: 9 };
    expect(changedFacts(facts(), facts({ visible: ['memo', 'review'], withheld: [...withheld], warnings: ['Look.'], tokens: more }))).toEqual({ facts: { tokens: more }, amend: true });
  });

  it.each([
    ['another skill', { visible: ['memo', 'mail'] }],
    ['a skill more', { visible: ['memo', 'review', 'mail'] }],
    ['another order', { visible: ['review', 'memo'] }],
    ['none any more', { withheld: [] }],
    ['a fact that was not known', { persona: null }],
  ])('is %s', (_what, change) => {
    expect(changedFacts(facts(), facts(change))).toEqual({ facts: change, amend: true });
  });

  it('is all of it where one is gone, since nothing would take it away', () => {
    const { warnings: _gone, ...rest } = facts();
    expect(changedFacts(facts(), rest)).toEqual({ facts: rest, amend: false });
  });
});
