import fc from 'fast-check';
import type { SkillState } from '@skillgate/contracts/words';
import type { Situation, SkillFacts } from './skill-facts.js';

/** Arbitrary catalogs of well-formed skills, each slug once, and situations that speak of some of them. */
export const states = ['always', 'available', 'never'] as const;
export const names = ['tools', 'sandbox', 'gmail', 'slack', 'docs', 'google'];
export const slugs = ['memo', 'notes', 'mail', 'constructor', '__proto__'];

const some = (pool: readonly string[]) => fc.uniqueArray(fc.constantFrom(...pool), { maxLength: 5 });
const name = fc.constantFrom(...names);
const need = fc.oneof(name, fc.tuple(name, name).map((pair) => pair.join('|')), fc.constantFrom('', '|', 'gmail|'));
const needs = fc.array(need, { maxLength: 2 });
const layer = fc.dictionary(fc.constantFrom(...slugs), fc.constantFrom<SkillState>(...states), { maxKeys: 3, noNullPrototype: false });
const lock = fc.dictionary(fc.constantFrom(...slugs), fc.constantFrom('always' as const, 'never' as const), { maxKeys: 2 });

const skill: fc.Arbitrary<SkillFacts> = fc.record({
  slug: fc.constantFrom(...slugs),
  hidden: fc.oneof({ weight: 3, arbitrary: fc.constant(false) }, fc.boolean()),
  defaultState: fc.constantFrom(...states),
  requires: fc.record({ capabilities: needs, integrations: needs, profiles: needs, tools: fc.constantFrom([], [], ['docs_read']) }),
  problems: fc.constantFrom([], [], [], ['broken']),
});

export const catalogs = fc.uniqueArray(skill, { minLength: 1, maxLength: 5, selector: ({ slug }) => slug });

/** Mostly accounts with tools, since without them nearly everything is closed. */
export const situations: fc.Arbitrary<Situation> = fc.record({
  layers: fc.record({ turn: layer, chat: layer, persona: layer, account: layer }),
  locks: fc.record({ operator: lock, admin: lock }),
  entitlements: fc.record({
    capabilities: fc.tuple(fc.oneof({ weight: 4, arbitrary: fc.constant(['tools']) }, fc.constant([])), some(names)).map(([tools, more]) => [...new Set([...tools, ...more])]),
    integrations: some(names),
  }),
  servedProfiles: fc.option(some(names).map((served) => new Set(served) as ReadonlySet<string>), { nil: undefined }),
  modelUsesTools: fc.oneof({ weight: 4, arbitrary: fc.constant(true) }, fc.boolean()),
});
