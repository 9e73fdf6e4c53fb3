import type { Situation, SkillFacts } from './skill-facts.js';

export interface NaiveDecision {
  slug: string;
  state: string;
  layer: string;
  usable: boolean;
  /** `kind:need` */
  unmet: string[];
}

/**
 * The rules of the README as slowly and plainly as they can be written, for well-formed input. Nothing is imported from
 * the resolver, so that a mistake there is none here.
 */
export function naiveDecision({ slug, hidden, defaultState, requires, problems = [] }: SkillFacts, situation: Situation): NaiveDecision {
  const { layers, locks, entitlements, servedProfiles, modelUsesTools } = situation;
  const speakers: [string, Readonly<Record<string, string>>][] = [
    ['operator-lock', locks.operator],
    ...(hidden ? [['hidden', { [slug]: 'never' }] as [string, Record<string, string>]] : []),
    ['admin-lock', locks.admin],
    ...(['turn', 'chat', 'persona', 'account'] as const).map((name) => [name, layers[name]] as [string, Record<string, string>]),
    ['default', { [slug]: defaultState }],
  ];
  const [layer, words] = speakers.find(([, said]) => Object.keys(said).includes(slug))!;
  const state = words[slug]!;

  const justText = state === 'always' && requires.profiles.length + requires.tools.length === 0;
  const toolsMissing = !entitlements.capabilities.includes('tools') && !(justText && layer === 'operator-lock');
  const lacks = (have: readonly string[]) => (need: string) => !need.split('|').some((name) => name !== '' && have.includes(name));
  const unmet = [
    ...problems.map(() => 'invalid:package'),
    ...(toolsMissing ? ['capability:tools'] : []),
    ...(modelUsesTools || justText ? [] : ['model:tools']),
    ...requires.capabilities.filter((need) => !(need === 'tools' && toolsMissing)).filter(lacks(entitlements.capabilities)).map((need) => `capability:${need}`),
    ...requires.integrations.filter(lacks(entitlements.integrations)).map((need) => `integration:${need}`),
    ...(servedProfiles ? requires.profiles.filter(lacks([...servedProfiles])).map((need) => `profile-unserved:${need}`) : []),
  ];
  return { slug, state, layer, usable: state !== 'never' && unmet.length === 0, unmet };
}
