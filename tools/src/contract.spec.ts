// Proves: in this repository skills, profiles and the manifests of executors keep what they promise each other.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { integrationNames } from '@skillgate/contracts/integrations';
import { profileBreaches, skillBreaches } from '@skillgate/gating/check-contract';
import { parseSkill } from '@skillgate/skill-format/parse';
import { root } from '@skillgate/standalone/run-from-source';
import { parse } from 'yaml';
import { readPackages } from './lint/read-packages.js';

interface ProfilesFile {
  base: { groups: { tools: string[] }[] };
  profiles: { name: string; unserved?: boolean; groups: { tools: string[] }[] }[];
}
const file = parse(readFileSync(join(root, 'apps/registry/profiles.yaml'), 'utf8')) as ProfilesFile;
const profiles = file.profiles.map(({ name, unserved = false, groups }) => ({ name, unserved, tools: groups.flatMap(({ tools }) => tools) }));
/** What needs no skill is in no profile that a skill could name. */
const base = { name: 'base', unserved: false, tools: file.base.groups.flatMap(({ tools }) => tools) };

/** What each executor of the repository prints for operators to approve. */
const manifests = readdirSync(join(root, 'apps'))
  .map((app) => join(root, 'apps', app, 'manifest.json'))
  .filter((path) => existsSync(path))
  .flatMap((path) => (JSON.parse(readFileSync(path, 'utf8')) as { tools: { name: string; profile: string }[] }).tools);

const skills = readPackages(join(root, 'skills')).packages.map(({ folder, files }) => {
  const parsed = parseSkill(files.find(({ path }) => path === 'SKILL.md')!.bytes, folder, { integrations: integrationNames });
  if (!parsed.ok) throw new Error(`${folder}: ${parsed.problems.map(({ message }) => message).join(' ')}`);
  return parsed.skill;
});

describe('the contract of the house', () => {
  it('has skills, profiles and manifests to be held to', () => {
    expect([skills.length > 50, profiles.length, manifests.length > 0]).toEqual([true, 14, true]);
  });

  it('is kept by every skill: its profiles exist, and its required tools are in them', () => {
    expect(skillBreaches(skills, profiles)).toEqual([]);
  });

  it('is kept by every profile: its tools stand in the manifest of an executor, or it is marked as unserved', () => {
    expect(profileBreaches([...profiles, base], manifests)).toEqual([]);
  });

  it('is kept by every manifest: its tools are in a profile that exists', () => {
    expect(manifests.filter(({ name, profile }) => ![...profiles, base].find((one) => one.name === profile)?.tools.includes(name))).toEqual([]);
  });
});
