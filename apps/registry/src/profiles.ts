import { integrationNames } from '@skillgate/contracts/integrations';
import { profileName, toolName } from '@skillgate/contracts/words';
import { parse } from 'yaml';
import { z } from 'zod';
import { effectPolicy, type EffectPolicy } from './policy.js';

const group = z.strictObject({ integration: z.enum(integrationNames).nullable().default(null), tools: z.array(toolName).min(1) });

const profileEntry = z.strictObject({
  name: profileName,
  title: z.string().min(1),
  capability: z.string().min(1).nullable().default(null),
  policy: effectPolicy.default({}),
  groups: z.array(group).min(1),
});

const profilesFile = z.strictObject({ profiles: z.array(profileEntry).min(1) });

/** A named bundle of tools, as `profiles.yaml` writes it. */
export interface Profile {
  readonly name: string;
  readonly title: string;
  readonly capability: string | null;
  /** In activation order. */
  readonly tools: readonly string[];
  /** Every integration that some tool of the profile needs. */
  readonly integrations: readonly string[];
  /** Absent: everything is allowed. */
  readonly policy?: EffectPolicy;
}

export interface Profiles {
  readonly all: readonly Profile[];
  get(name: string): Profile | undefined;
  /** Name of the profile that names this tool. */
  homeOf(tool: string): string | undefined;
  /** Integrations that must be connected. A tool that only an approval put here needs all of its profile's. */
  integrationsOf(profile: Profile, tool: string): readonly string[];
}

/** @throws Error that names the entry and the mistake; a house with half of its profiles would withhold without a word. */
export function parseProfiles(yaml: string): Profiles {
  const parsed = profilesFile.safeParse(parse(yaml));
  if (!parsed.success) throw new Error(`profiles.yaml: ${z.prettifyError(parsed.error)}`);

  const byName = new Map<string, Profile>();
  const home = new Map<string, { profile: string; integration: string | null }>();
  for (const { name, title, capability, policy, groups } of parsed.data.profiles) {
    if (byName.has(name)) throw new Error(`profiles.yaml: the profile "${name}" stands twice; keep one`);
    for (const { integration, tools } of groups) {
      for (const tool of tools) {
        const other = home.get(tool)?.profile;
        if (other) throw new Error(`profiles.yaml: "${tool}" stands in "${other}" and in "${name}"; a tool has one profile`);
        home.set(tool, { profile: name, integration });
      }
    }
    const integrations = [...new Set(groups.flatMap((one) => one.integration ?? []))];
    byName.set(name, { name, title, capability, integrations, policy, tools: groups.flatMap((one) => one.tools) });
  }

  return {
    all: [...byName.values()],
    get: (name) => byName.get(name),
    homeOf: (tool) => home.get(tool)?.profile,
    integrationsOf: (profile, tool) => {
      const named = home.get(tool);
      if (!named) return profile.integrations;
      return named.integration ? [named.integration] : [];
    },
  };
}
