import type { LoadedSkill } from '@skillgate/contracts/calls/catalog';
import type { OpenedTool, WithheldTool } from '@skillgate/contracts/calls/registry';

/** Does this skill ask for it: by a profile, whole, or by the tool's own name? `a|b` asks for both. */
export interface AskedFor {
  readonly anything: boolean;
  profile(name: string): boolean;
  tool(tool: Pick<OpenedTool, 'name' | 'profile'>): boolean;
  withheld(withheld: WithheldTool): boolean;
}

export function askedFor({ requires }: Pick<LoadedSkill, 'requires'>): AskedFor {
  const split = (needs: readonly string[]) => new Set(needs.flatMap((need) => need.split('|')));
  const [profiles, tools] = [split(requires.profiles), split(requires.tools)];
  return {
    anything: profiles.size + tools.size > 0,
    profile: (name) => profiles.has(name),
    tool: ({ name, profile }) => profiles.has(profile) || tools.has(name),
    withheld: ({ name }) => {
      const [first = name, tool = first] = name.split('/'); // `profile`, `profile/tool`, or the tool alone
      return profiles.has(first) || tools.has(tool);
    },
  };
}
