import { expect } from '@jest/globals';
import type { SkillDecision } from '@skillgate/contracts/calls/catalog';
import { naiveDecision } from './naive-resolver.fixture.js';
import { prepareCatalog } from './prepare-catalog.js';
import { resolvePrepared } from './resolve-prepared.js';
import { resolveSkill } from './resolve.js';
import type { Situation, SkillFacts } from './skill-facts.js';
import { loadRefusal, standingOf } from './standing.js';

/** What differs from a paid account, a model with tools and a skill `memo` that asks for nothing. */
export type Scene = Partial<Situation['layers']> & {
  operator?: 'always' | 'never';
  admin?: 'always' | 'never';
  capabilities?: string[];
  integrations?: string[];
  served?: string[];
  modelUsesTools?: boolean;
  skill?: Partial<SkillFacts>;
  needs?: Partial<SkillFacts['requires']>;
};

export const noNeeds = { capabilities: [], integrations: [], profiles: [], tools: [] };

export function setScene(scene: Scene): { skill: SkillFacts; situation: Situation } {
  const slug = scene.skill?.slug ?? 'memo';
  const skill: SkillFacts = { slug, hidden: false, defaultState: 'available', requires: { ...noNeeds, ...scene.needs }, ...scene.skill };
  const situation: Situation = {
    layers: { turn: scene.turn ?? {}, chat: scene.chat ?? {}, persona: scene.persona ?? {}, account: scene.account ?? {} },
    locks: { operator: scene.operator ? { [slug]: scene.operator } : {}, admin: scene.admin ? { [slug]: scene.admin } : {} },
    entitlements: { capabilities: scene.capabilities ?? ['tools'], integrations: scene.integrations ?? [] },
    servedProfiles: scene.served && new Set(scene.served),
    modelUsesTools: scene.modelUsesTools ?? true,
  };
  return { skill, situation };
}

const other: SkillFacts = { slug: 'other', hidden: false, defaultState: 'available', requires: { ...noNeeds, integrations: ['notion'] } };

/** By the plain resolver, by the prepared one (cold, and again when it remembers), and by the naive model: they must agree. */
export function decideAll(skill: SkillFacts, situation: Situation): SkillDecision {
  const decision = resolveSkill(skill, situation);
  const catalog = prepareCatalog([other, skill]);
  expect(resolvePrepared(catalog, situation).at(1)).toEqual(decision);
  expect(resolvePrepared(catalog, situation).at(1)).toEqual(decision);
  const { slug, state, layer, usable } = decision;
  expect({ slug, state, layer, usable, unmet: needsOf(decision) }).toEqual(naiveDecision(skill, situation));
  return decision;
}

const needsOf = ({ unmet }: SkillDecision): string[] => unmet.map(({ kind, need }) => `${kind}:${need}`);

/** Everything that follows for the skill, in words: `available by default: listed`, `never by chat: skill-never`. */
export function verdict(decision: SkillDecision, hidden: boolean): string {
  const { state, layer } = decision;
  const standing = standingOf(decision);
  const refusal = loadRefusal(decision, hidden)?.slug;
  const outcome = [standing === 'withheld' ? [] : standing, refusal ?? []].flat().join(', ');
  return [`${state} by ${layer}: ${outcome}`, ...needsOf(decision)].join(' ');
}
