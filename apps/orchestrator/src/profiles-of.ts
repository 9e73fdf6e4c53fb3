import type { LoadedSkill } from '@skillgate/contracts/calls/catalog';

/** Every profile that a skill names; `a|b` names both. */
export const profilesOf = ({ requires }: LoadedSkill): string[] => requires.profiles.flatMap((need) => need.split('|'));
