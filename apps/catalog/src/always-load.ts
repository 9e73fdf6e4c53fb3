import type { SkillDecision } from '@skillgate/contracts/calls/catalog';
import { standingOf } from '@skillgate/gating/standing';
import type { SkillVersion } from './skill-version.js';
import { bodyTokens } from './token-counts.js';

/** Instructions that ride in every turn of a chat. */
export interface AlwaysLoad {
  skills: string[];
  /** In o200k, of the instructions alone. */
  tokens: number;
  budget: number;
}

/** Hidden skills that an operator's lock injects cost their tokens, and are not named to whoever may not know them. */
export function alwaysLoad(decided: readonly { decision: SkillDecision; version: SkillVersion }[], budget: number): AlwaysLoad {
  const injected = decided.filter(({ decision }) => standingOf(decision) === 'injected').map(({ version }) => version);
  return {
    skills: injected.filter(({ hidden }) => !hidden).map(({ slug }) => slug),
    tokens: injected.reduce((sum, version) => sum + bodyTokens(version), 0),
    budget,
  };
}

/** Sentences for people; nothing is held back for them. */
export function alwaysWarnings({ skills, tokens, budget }: AlwaysLoad): string[] {
  if (tokens <= budget) return [];
  const named = skills.length > 0 ? ` (${skills.join(', ')})` : '';
  return [
    `Skills that are always on${named} put ${tokens} tokens into every turn, over the ${budget} that are meant for them; set those to "available" that not every turn needs.`,
  ];
}
