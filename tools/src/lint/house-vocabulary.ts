import { integrationNames } from '@skillgate/contracts/integrations';
import { baseToolNames, callToolName } from '@skillgate/prompt/base-tools';
import type { LintVocabulary } from '@skillgate/skill-format/lint/finding';
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

interface ProfilesFile {
  profiles: { name: string; capability?: string; groups: { tools: string[] }[] }[];
}

/** What exists in this house: the registry's profiles, the integrations of the contracts, the tools of every account. */
export function houseVocabulary(profilesPath: string, integrations: readonly string[] = integrationNames): LintVocabulary {
  const { profiles } = parse(readFileSync(profilesPath, 'utf8')) as ProfilesFile;
  const profileTools = Object.fromEntries(profiles.map(({ name, groups }) => [name, groups.flatMap(({ tools }) => tools)]));
  const baseTools = [...baseToolNames, callToolName];
  return {
    capabilities: [...new Set(['tools', ...profiles.flatMap(({ capability }) => capability ?? [])])],
    integrations,
    profiles: profiles.map(({ name }) => name),
    tools: [...Object.values(profileTools).flat(), ...baseTools],
    profileTools,
    baseTools,
  };
}
