import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { SkillState } from '@skillgate/contracts/words';
import { resolveSkill, resolveSkills } from './resolve.js';
import type { Situation, SkillFacts } from './skill-facts.js';

const states = ['always', 'available', 'never'] as const;
const free: SkillFacts = {
  slug: 'memo',
  hidden: false,
  defaultState: 'available',
  requires: { capabilities: [], integrations: [], profiles: [], tools: [] },
};

describe('four layers', () => {
  // The naive model: write the layers down, nearest first, and take the first word.
  const choices = [...states, undefined];
  const combinations = choices.flatMap((turn) =>
    choices.flatMap((chat) => choices.flatMap((persona) => choices.map((account) => ({ turn, chat, persona, account })))),
  );

  it('decide as the naive model does in all 81 combinations, and in the 175 where a layer is silent', () => {
    expect(combinations.filter((layers) => !Object.values(layers).includes(undefined))).toHaveLength(81);
    for (const word of combinations) {
      for (const defaultState of states) {
        const nearest = [word.turn, word.chat, word.persona, word.account, defaultState].find((state) => state !== undefined);
        const layer = (['turn', 'chat', 'persona', 'account'] as const).find((name) => word[name] !== undefined) ?? 'default';
        const layers = Object.fromEntries(Object.entries(word).map(([name, state]) => [name, state ? { memo: state } : {}]));
        const decision = resolveSkill({ ...free, defaultState }, { ...situationOf({}), layers: layers as unknown as Situation['layers'] });
        expect(decision).toEqual({ slug: 'memo', state: nearest, layer, usable: nearest !== 'never', unmet: [] });
      }
    }
  });
});

const names = ['tools', 'sandbox', 'gmail', 'slack', 'docs', 'google'];
const some = (pool: readonly string[]) => fc.uniqueArray(fc.constantFrom(...pool), { maxLength: 4 });
const need = fc.oneof(
  fc.constantFrom(...names),
  fc.tuple(fc.constantFrom(...names), fc.constantFrom(...names)).map((pair) => pair.join('|')),
);
const needs = fc.array(need, { maxLength: 3 });
const layer = fc
  .option(fc.constantFrom<SkillState>(...states), { nil: undefined })
  .map((state) => (state ? { memo: state } : {}) as Record<string, SkillState>);
const lock = fc.constantFrom<Record<string, 'always' | 'never'>>({}, { memo: 'always' }, { memo: 'never' });

const skills: fc.Arbitrary<SkillFacts> = fc.record({
  slug: fc.constant('memo'),
  hidden: fc.boolean(),
  defaultState: fc.constantFrom(...states),
  requires: fc.record({ capabilities: needs, integrations: needs, profiles: needs, tools: fc.constantFrom([], ['docs_read']) }),
  problems: fc.constantFrom([], [], ['broken']),
});

const situations: fc.Arbitrary<Situation> = fc.record({
  layers: fc.record({ turn: layer, chat: layer, persona: layer, account: layer }),
  locks: fc.record({ operator: lock, admin: lock }),
  entitlements: fc.record({ capabilities: some(names), integrations: some(names) }),
  servedProfiles: fc.option(
    some(names).map((served) => new Set(served) as ReadonlySet<string>),
    { nil: undefined },
  ),
  modelUsesTools: fc.boolean(),
});

function situationOf(change: Partial<Situation>): Situation {
  return {
    layers: { turn: {}, chat: {}, persona: {}, account: {} },
    locks: { operator: {}, admin: {} },
    entitlements: { capabilities: ['tools'], integrations: [] },
    modelUsesTools: true,
    ...change,
  };
}

// Listing against loading, more rights, locks: `resolve-catalog.property.spec.ts`, for whole catalogs.
describe('for every skill and situation', () => {
  it('an unusable skill says why: by its state or by an unmet need', () => {
    fc.assert(
      fc.property(skills, situations, (skill, situation) => {
        const decision = resolveSkill(skill, situation);
        expect(decision.usable).toBe(decision.state !== 'never' && decision.unmet.length === 0);
      }),
    );
  });

  it('one skill is decided alone as it is among others', () => {
    fc.assert(
      fc.property(fc.array(skills, { maxLength: 5 }), situations, (many, situation) => {
        expect(resolveSkills({ ...situation, skills: many })).toEqual(many.map((skill) => resolveSkill(skill, situation)));
      }),
    );
  });

  it('nothing makes it throw, and nothing that is no skill becomes usable', () => {
    fc.assert(
      fc.property(fc.anything(), fc.anything(), fc.array(fc.anything()), (skill, situation, many) => {
        expect(resolveSkill(skill as never, situation as never).usable).toBe(false);
        const shaped = { ...situationOf({}), layers: situation, locks: skill, entitlements: situation, servedProfiles: skill };
        expect(
          resolveSkills({ ...shaped, skills: [...many, ...many.map((requires) => ({ ...free, requires, problems: requires }))] } as never),
        ).toHaveLength(many.length * 2);
      }),
      { numRuns: 500 },
    );
  });
});
