import { countTokens } from '@skillgate/prompt/count-tokens';
import type { Found } from './finding.js';
import type { OpenedSkill } from './open-package.js';

/** Tokens of the instructions: below, they add little to what a model knows; above, they crowd out the conversation. */
const fewest = 800;
const most = 2_500;
const limit = 5_000;

export function bodyRules({ skill, main, bodyOffset }: OpenedSkill): Found[] {
  if (!skill || !main) return [];
  const tokens = countTokens(skill.body);
  const at = main.placeOf(bodyOffset);
  if (tokens > limit) return [{ rule: 'body-limit', message: `The instructions have ${tokens} tokens and may have ${limit}.`, at }];
  if (tokens > most) return [{ rule: 'body-long', message: `The instructions have ${tokens} tokens; ${fewest} to ${most} work best.`, at }];
  if (tokens < fewest) return [{ rule: 'body-short', message: `The instructions have ${tokens} tokens; ${fewest} to ${most} work best.`, at }];
  return [];
}
