import type { SkillRequirements } from '@skillgate/contracts/tokens';

export interface ContractProfile {
  readonly name: string;
  /** Those that it names, and those that an approval put there. */
  readonly tools: readonly string[];
}

/** Where skills, profiles and manifests do not keep what they promise each other; the sentence says what to do. */
export interface Breach {
  readonly rule: 'profile-unknown' | 'tool-unknown' | 'tool-outside-profiles' | 'tool-unapproved' | 'mark-outdated';
  /** The slug of the skill, or the name of the profile. */
  readonly of: string;
  readonly message: string;
}

/** Each profile that a skill names exists, and each tool that it requires is in one of them. */
export function skillBreaches(
  skills: readonly { readonly slug: string; readonly requires: Pick<SkillRequirements, 'profiles' | 'tools'> }[],
  profiles: readonly ContractProfile[],
): Breach[] {
  const byName = new Map(profiles.map((profile) => [profile.name, profile]));
  return skills.flatMap(({ slug, requires }) => {
    const unknown = requires.profiles.filter((name) => !byName.has(name));
    const opened = new Set(requires.profiles.flatMap((name) => byName.get(name)?.tools ?? []));
    return [
      ...unknown.map((name): Breach => ({ rule: 'profile-unknown', of: slug, message: `There is no profile "${name}"; name one of profiles.yaml.` })),
      ...requires.tools.filter((tool) => !opened.has(tool)).map((tool) => strayTool(slug, tool, profiles)),
    ];
  });
}

function strayTool(slug: string, tool: string, profiles: readonly ContractProfile[]): Breach {
  const home = profiles.find(({ tools }) => tools.includes(tool));
  return home
    ? { rule: 'tool-outside-profiles', of: slug, message: `The tool "${tool}" belongs to the profile "${home.name}"; name that profile too.` }
    : { rule: 'tool-unknown', of: slug, message: `No profile has the tool "${tool}"; correct its name, or add it to profiles.yaml.` };
}

/**
 * Each tool of a profile stands in a manifest, or the profile is marked as unserved, and not for longer than it is.
 *
 * @param manifests the tools of approved manifests
 */
export function profileBreaches(
  profiles: readonly (ContractProfile & { readonly unserved: boolean })[],
  manifests: readonly { readonly name: string; readonly profile: string }[],
): Breach[] {
  return profiles.flatMap(({ name: of, tools, unserved }): Breach[] => {
    const approved = new Set(manifests.filter(({ profile }) => profile === of).map(({ name }) => name));
    const missing = tools.filter((tool) => !approved.has(tool));
    if (unserved) {
      const message = `All of its tools stand in approved manifests; take the mark "unserved" away.`;
      return missing.length === 0 ? [{ rule: 'mark-outdated', of, message }] : [];
    }
    const advice = approved.size === 0 ? 'Mark the profile with "unserved: true", or add the manifest.' : 'Add them to the manifest, or take them out of the profile.';
    return missing.length === 0 ? [] : [{ rule: 'tool-unapproved', of, message: `No approved manifest has ${missing.join(', ')}. ${advice}` }];
  });
}
