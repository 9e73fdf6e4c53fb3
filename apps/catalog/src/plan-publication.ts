import type { PackageFile } from '@skillgate/skill-format/digest';
import { refOf, type FoundSkill, type SkillProblem, type SkillVersion, type UnusableFolder } from './skill-version.js';

export interface StoredVersion {
  slug: string;
  version: string;
  digest: string;
}

export interface Publication {
  /** Versions that the store does not have. */
  insert: SkillVersion[];
  /** The version of each skill that is offered from now on, with what is to be said about it. All others are not. */
  current: { slug: string; version: string; problems: SkillProblem[] }[];
  unusable: UnusableFolder[];
  /** By `slug@version`: the files of each version that is, or is published as, what its folder holds. */
  files: Map<string, readonly PackageFile[]>;
}

/**
 * What the folders make of the store: new versions are added, none is changed, and exactly what the folders hold is
 * offered, save where an operator said otherwise. The folders' last word counts, so putting an older version back is a way back.
 */
export function planPublication(found: readonly FoundSkill[], stored: readonly StoredVersion[]): Publication {
  const digests = new Map(stored.map((version) => [refOf(version), version.digest]));
  const plan: Publication = { insert: [], current: [], unusable: [], files: new Map() };
  for (const each of found) {
    if (!each.ok) {
      plan.unusable.push({ folder: each.folder, problems: each.problems });
      continue;
    }
    const { skill, warnings } = each;
    const known = digests.get(refOf(skill));
    if (known === undefined) plan.insert.push(skill);
    if (each.files && (known ?? skill.digest) === skill.digest) plan.files.set(refOf(skill), each.files);
    const problems = known === undefined || known === skill.digest ? warnings : [differs(skill, known), ...warnings];
    plan.current.push({ slug: skill.slug, version: skill.version, problems });
  }
  return plan;
}

const differs = (skill: SkillVersion, known: string): SkillProblem => ({
  rule: 'version-digest-differs',
  message:
    `${refOf(skill)} was published with another content (${known.slice(0, 12)}…, here ${skill.digest.slice(0, 12)}…). ` +
    'The published one stays in use; raise skillgate.version to publish this one.',
});
