import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { SkillState } from '@skillgate/contracts/words';
import { prepareCatalog } from './prepare-catalog.js';
import type { SkillDecision } from '@skillgate/contracts/calls/catalog';
import { resolvePrepared, type CatalogDecisions } from './resolve-prepared.js';
import { resolveSkills } from './resolve.js';
import type { Situation, SkillFacts } from './skill-facts.js';

const states = ['always', 'available', 'never'] as const;
// More names than a word has bits, so that the second word decides too.
const names = ['tools', 'sandbox', 'gmail', 'slack', ...Array.from({ length: 36 }, (_, n) => `name${n}`)];
const slugs = ['memo', 'notes', 'constructor', 'length', '__proto__'];
const some = (pool: readonly string[]) => fc.uniqueArray(fc.constantFrom(...pool), { maxLength: 8 });
const need = fc.oneof(
  fc.constantFrom(...names),
  fc.constantFrom('', '|', 'gmail|', 'tools|gmail'),
  fc.tuple(fc.constantFrom(...names), fc.constantFrom(...names)).map((pair) => pair.join('|')),
);
const needs = fc.array(need, { maxLength: 3 });
const layer = fc.dictionary(fc.constantFrom(...slugs), fc.constantFrom<SkillState>(...states), { maxKeys: 3, noNullPrototype: false });
const lock = fc.dictionary(fc.constantFrom(...slugs), fc.constantFrom('always' as const, 'never' as const), { maxKeys: 2 });

const skill: fc.Arbitrary<SkillFacts> = fc.record({
  slug: fc.constantFrom(...slugs),
  hidden: fc.boolean(),
  defaultState: fc.constantFrom(...states),
  requires: fc.record({ capabilities: needs, integrations: needs, profiles: needs, tools: fc.constantFrom([], ['docs_read']) }),
  problems: fc.constantFrom(undefined, [], ['broken']) as fc.Arbitrary<string[]>,
});
const situation: fc.Arbitrary<Situation> = fc.record({
  layers: fc.record({ turn: layer, chat: layer, persona: layer, account: layer }),
  locks: fc.record({ operator: lock, admin: lock }),
  entitlements: fc.record({ capabilities: some(names), integrations: some(names) }),
  servedProfiles: fc.option(some(names).map((served) => new Set(served) as ReadonlySet<string>), { nil: undefined }),
  modelUsesTools: fc.boolean(),
});

/** Read in each of the three ways. */
function check(prepared: CatalogDecisions, plain: readonly SkillDecision[]): void {
  expect([...prepared]).toEqual(plain);
  expect(plain.map((_, place) => prepared.at(place))).toEqual(plain);
  expect([prepared.length, prepared.at(plain.length), prepared.at(-1), prepared.of('gone')]).toEqual([plain.length, undefined, undefined, undefined]);
  for (const { slug } of plain) if (slug !== '') expect(prepared.of(slug)).toEqual(plain.find((decision) => decision.slug === slug));
}

describe('a prepared catalog', () => {
  it('answers every account as the plain resolver does, first and again', () => {
    fc.assert(
      fc.property(fc.array(skill, { maxLength: 12 }), fc.array(situation, { minLength: 1, maxLength: 8 }), (skills, situations) => {
        const catalog = prepareCatalog(skills);
        for (const each of [...situations, ...situations]) check(resolvePrepared(catalog, each), resolveSkills({ ...each, skills }));
      }),
      { numRuns: 200 },
    );
  });

  it('answers anything as the plain resolver does, and never throws', () => {
    const odd = fc.oneof(fc.anything(), fc.constantFrom([], ['tools', 7, null], new Set(['tools']), new Map(), 'tools'));
    const oddSituation = fc.oneof(odd, fc.record({ layers: fc.oneof(odd, fc.record({ turn: odd, account: odd })), locks: fc.oneof(odd, fc.record({ operator: odd })), entitlements: fc.record({ capabilities: odd, integrations: odd }), servedProfiles: odd, modelUsesTools: odd }));
    const oddSkill = fc.oneof(odd, skill, fc.record({ slug: fc.constantFrom('length', 'memo', 0), hidden: odd, defaultState: odd, problems: odd, requires: fc.oneof(odd, fc.record({ capabilities: odd, integrations: odd, profiles: odd, tools: odd })) }));
    fc.assert(
      fc.property(fc.oneof(odd, fc.array(oddSkill)), fc.array(oddSituation, { maxLength: 4 }), (skills, situations) => {
        const catalog = prepareCatalog(skills as never);
        for (const each of situations) {
          check(resolvePrepared(catalog, each as never), resolveSkills({ ...(each as Situation), skills: skills as never }));
        }
      }),
      { numRuns: 400 },
    );
  });

  const free = { hidden: false, defaultState: 'available' as const, requires: { capabilities: [], integrations: [], profiles: [], tools: [] } };
  const needing = (slug: string, integration: string): SkillFacts => ({ ...free, slug, requires: { ...free.requires, integrations: [integration] } });
  const account = (integrations: string[], chosen: Record<string, SkillState> = {}): Situation => ({
    layers: { turn: {}, chat: {}, persona: {}, account: chosen },
    locks: { operator: {}, admin: {} },
    entitlements: { capabilities: ['tools'], integrations },
    modelUsesTools: true,
  });

  it('decides once for accounts with equal facts, whatever the order of their lists', () => {
    const catalog = prepareCatalog([needing('mail', 'gmail'), needing('chat', 'slack')]);
    const [one, other] = [account(['gmail', 'slack', 'unasked']), account(['slack', 'gmail'])].map((each) => resolvePrepared(catalog, each));
    expect([one!.at(0) === other!.at(0), one!.at(1) === other!.at(1), catalog.kinds.size]).toEqual([true, true, 1]);
  });

  it("keeps one account's states out of every other account's answer", () => {
    const catalog = prepareCatalog([{ ...free, slug: 'memo' }]);
    expect(resolvePrepared(catalog, account([], { memo: 'never' })).of('memo')!.state).toBe('never');
    expect(resolvePrepared(catalog, account([])).of('memo')!.state).toBe('available');
  });

  it('hands out decisions that nobody can change for the others', () => {
    const decision = resolvePrepared(prepareCatalog([needing('mail', 'gmail')]), account([])).at(0)!;
    expect(() => (decision.usable = true)).toThrow(TypeError);
    expect(() => (decision.unmet[0]!.message = '')).toThrow(TypeError);
    expect(() => decision.unmet.pop()).toThrow(TypeError);
  });

  it('forgets outcomes at its limit and still answers right', () => {
    const skills = [needing('both', 'a|b|c|d|e|f|g'), needing('one', 'a')];
    const catalog = prepareCatalog(skills);
    for (let bits = 0; bits < 128; bits++) {
      const facts = account(['a', 'b', 'c', 'd', 'e', 'f', 'g'].filter((_, at) => bits & (1 << at)));
      check(resolvePrepared(catalog, facts), resolveSkills({ ...facts, skills }));
      const held = catalog.classes.reduce((sum, { members, outcomes }) => sum + members.length * outcomes.size, 0);
      expect([held, held <= catalog.remembered.limit]).toEqual([catalog.remembered.decisions, true]);
    }
  });

  it('keeps no more kinds of accounts than its bound', () => {
    const skills = Array.from({ length: 13 }, (_, n) => needing(`skill-${n}`, `name${n}`));
    const catalog = prepareCatalog(skills);
    for (let bits = 0; bits < 8192; bits++) resolvePrepared(catalog, account(skills.flatMap((_, n) => (bits & (1 << n) ? [`name${n}`] : []))));
    expect(catalog.kinds.size).toBe(4096);
  });
});
