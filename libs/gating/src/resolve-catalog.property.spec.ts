// Proves for whole catalogs, by the prepared resolver that services ask: it is the naive model, what is listed is what may be loaded,
// more rights hide nothing, and a lock always wins.
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { SkillState } from '@skillgate/contracts/words';
import { catalogs, names, situations, slugs, states } from './catalogs.fixture.js';
import { naiveDecision } from './naive-resolver.fixture.js';
import { prepareCatalog } from './prepare-catalog.js';
import { resolvePrepared } from './resolve-prepared.js';
import { resolveSkills } from './resolve.js';
import { decideAll, setScene } from './scene.fixture.js';
import type { Situation } from './skill-facts.js';
import { loadRefusal, standingOf } from './standing.js';

const runs = { numRuns: 400 };

/** Something more than before, of each kind that there is. */
function grown(situation: Situation, name: string): Situation[] {
  const { entitlements: had, servedProfiles } = situation;
  return [
    { ...situation, entitlements: { ...had, capabilities: [...had.capabilities, name] } },
    { ...situation, entitlements: { ...had, integrations: [...had.integrations, name] } },
    { ...situation, ...(servedProfiles && { servedProfiles: new Set([...servedProfiles, name]) }) },
    { ...situation, modelUsesTools: true },
  ];
}

describe('for every catalog and situation', () => {
  it('each skill is decided as the naive model does', () => {
    fc.assert(
      fc.property(catalogs, situations, (skills, situation) => {
        const seen = [...resolvePrepared(prepareCatalog(skills), situation)];
        expect(seen).toEqual(resolveSkills({ ...situation, skills }));
        const plain = seen.map(({ unmet, ...rest }) => ({ ...rest, unmet: unmet.map(({ kind, need }) => `${kind}:${need}`) }));
        expect(plain).toEqual(skills.map((skill) => naiveDecision(skill, situation)));
      }),
      runs,
    );
  });

  it('no listed skill is unloadable, and no skill that is neither listed nor in the turn is loadable', () => {
    fc.assert(
      fc.property(catalogs, situations, (skills, situation) => {
        const catalog = prepareCatalog(skills);
        const shown = resolvePrepared(catalog, situation);
        for (const { slug, hidden } of skills) {
          const listing = standingOf(shown.of(slug)!);
          // A load is a decision of its own, made later on the same facts.
          const refusal = loadRefusal(resolvePrepared(catalog, situation).of(slug)!, hidden);
          if (listing === 'listed') expect([slug, refusal]).toEqual([slug, null]);
          if (refusal === null) expect([slug, listing]).not.toEqual([slug, 'withheld']);
          if (hidden) expect([listing === 'listed', refusal?.slug]).toEqual([false, 'skill-hidden']);
        }
      }),
      runs,
    );
  });

  it('what is not in the catalog is nowhere, whatever layers say of it', () => {
    fc.assert(
      fc.property(catalogs, situations, fc.constantFrom(...slugs), (skills, situation, slug) => {
        const without = skills.filter((skill) => skill.slug !== slug);
        expect(resolvePrepared(prepareCatalog(without), situation).of(slug)).toBeUndefined();
      }),
      runs,
    );
  });

  it('one more capability, integration, served profile or a model with tools hides no skill and changes no state', () => {
    fc.assert(
      fc.property(catalogs, situations, fc.constantFrom(...names), (skills, before, name) => {
        const catalog = prepareCatalog(skills);
        const was = [...resolvePrepared(catalog, before)];
        for (const after of grown(before, name)) {
          for (const [place, is] of [...resolvePrepared(catalog, after)].entries()) {
            expect([is.slug, is.state, is.layer]).toEqual([was[place]!.slug, was[place]!.state, was[place]!.layer]);
            if (standingOf(was[place]!) !== 'withheld') expect(standingOf(is)).toBe(standingOf(was[place]!));
          }
        }
      }),
      runs,
    );
  });

  it('a lock wins, and no turn, chat, persona or account moves what it holds', () => {
    const word = fc.constantFrom<SkillState | undefined>(...states, undefined);
    fc.assert(
      fc.property(catalogs, situations, fc.tuple(word, word, word, word), (skills, situation, words) => {
        const { operator, admin } = situation.locks;
        const held = skills.filter(({ slug, hidden }) => Object.hasOwn(operator, slug) || hidden || Object.hasOwn(admin, slug));
        const catalog = prepareCatalog(skills);
        const [turn, chat, persona, account] = words.map((state) => Object.fromEntries(state ? skills.map(({ slug }) => [slug, state]) : []));
        const pushed = resolvePrepared(catalog, { ...situation, layers: { turn: turn!, chat: chat!, persona: persona!, account: account! } });
        const now = resolvePrepared(catalog, situation);
        for (const { slug, hidden } of held) {
          const lock = Object.hasOwn(operator, slug) ? operator[slug] : hidden ? 'never' : admin[slug];
          expect([slug, now.of(slug)!.state, pushed.of(slug)]).toEqual([slug, lock, now.of(slug)]);
        }
      }),
      runs,
    );
  });
});

describe('all 81 combinations of the four layers', () => {
  const combinations = states.flatMap((turn) => states.flatMap((chat) => states.flatMap((persona) => states.map((account) => ({ turn, chat, persona, account })))));
  const locks = [undefined, 'always', 'never'] as const;

  it('under each pair of locks decide as the naive model does, in every resolver', () => {
    expect(combinations).toHaveLength(81);
    for (const words of combinations) {
      for (const operator of locks) {
        for (const admin of locks) {
          const layers = Object.fromEntries(Object.entries(words).map(([scope, state]) => [scope, { memo: state }]));
          const { skill, situation } = setScene({ ...layers, ...(operator && { operator }), ...(admin && { admin }) });
          expect(decideAll(skill, situation).state).toBe(operator ?? admin ?? words.turn);
        }
      }
    }
  });
});
