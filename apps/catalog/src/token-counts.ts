import { countTokens } from '@skillgate/prompt/count-tokens';
import type { SkillVersion } from './skill-version.js';

const counted = new Map<string, number>();

/** Tokens (o200k) of a version's instructions; counted once, since versions do not change. */
export function bodyTokens({ digest, body }: SkillVersion): number {
  const known = counted.get(digest);
  if (known !== undefined) return known;
  const tokens = countTokens(body);
  counted.set(digest, tokens);
  return tokens;
}
