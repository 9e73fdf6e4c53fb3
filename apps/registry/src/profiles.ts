import { integrationName, integrationNames } from '@skillgate/contracts/integrations';
import { effectPolicies, executorName, profileName, toolName, type EffectPolicies } from '@skillgate/contracts/words';
import { parse } from 'yaml';
import { z } from 'zod';

const group = z.strictObject({ integration: integrationName.nullable().default(null), tools: z.array(toolName).min(1) });

const profileEntry = z.strictObject({
  name: profileName,
  title: z.string().min(1),
  owner: executorName.nullable().default(null),
  unserved: z.boolean().default(false),
  capability: z.string().min(1).nullable().default(null),
  policy: effectPolicies.default({}),
  groups: z.array(group).min(1),
});

/** Tools that are offered without a skill and belong to an executor: a profile of their own, which no skill opens. */
const baseEntry = profileEntry.omit({ name: true, unserved: true });
export const baseProfile = 'base';

const profilesFile = z.strictObject({ profiles: z.array(profileEntry).min(1), base: baseEntry.optional() });

/** A named bundle of tools, as `profiles.yaml` writes it. */
export interface Profile {
  readonly name: string;
  readonly title: string;
  /** The executor that is meant to serve it; any that an operator approves may. */
  readonly owner: string | null;
  /** Nobody serves it yet, says whoever wrote the file. */
  readonly unserved: boolean;
  readonly capability: string | null;
  /** What may become of its tools, where neither operator nor admin says something else. */
  readonly policy: EffectPolicies;
  /** In activation order. */
  readonly tools: readonly string[];
  /** Every integration that some tool of the profile needs. */
  readonly integrations: readonly string[];
}

export interface Profiles {
  /** Those that skills open. */
  readonly all: readonly Profile[];
  get(name: string): Profile | undefined;
  /** Name of the profile that names this tool. */
  homeOf(tool: string): string | undefined;
  /** Integrations that must be connected. A tool that only an approval put here needs all of its profile's. */
  integrationsOf(profile: Profile, tool: string): readonly string[];
}

/**
 * @param integrations outside systems that there are
 * @throws Error that names the entry and the mistake; a house with half of its profiles would withhold without a word.
 */
export function parseProfiles(yaml: string, integrations: readonly string[] = integrationNames): Profiles {
  const parsed = profilesFile.safeParse(parse(yaml));
  if (!parsed.success) throw new Error(`profiles.yaml: ${z.prettifyError(parsed.error)}`);

  const byName = new Map<string, Profile>();
  const home = new Map<string, { profile: string; integration: string | null }>();
  const { profiles, base } = parsed.data;
  const entries = [...profiles, ...(base ? [{ ...base, name: baseProfile, unserved: false }] : [])];
  for (const { groups, ...profile } of entries) {
    const { name } = profile;
    if (byName.has(name)) throw new Error(`profiles.yaml: the profile "${name}" stands twice; keep one`);
    for (const { integration, tools } of groups) {
      if (integration !== null && !integrations.includes(integration)) {
        throw new Error(`profiles.yaml: "${name}" needs the integration "${integration}", which is not there; choose from ${integrations.join(', ')}, or add it to SKILLGATE_INTEGRATIONS_FILE`);
      }
      for (const tool of tools) {
        const other = home.get(tool)?.profile;
        if (other) throw new Error(`profiles.yaml: "${tool}" stands in "${other}" and in "${name}"; a tool has one profile`);
        home.set(tool, { profile: name, integration });
      }
    }
    const needed = [...new Set(groups.flatMap((one) => one.integration ?? []))];
    byName.set(name, { ...profile, integrations: needed, tools: groups.flatMap((one) => one.tools) });
  }

  return {
    all: [...byName.values()].filter(({ name }) => name !== baseProfile || !base),
    get: (name) => byName.get(name),
    homeOf: (tool) => home.get(tool)?.profile,
    integrationsOf: (profile, tool) => {
      const named = home.get(tool);
      if (!named) return profile.integrations;
      return named.integration ? [named.integration] : [];
    },
  };
}
