import type { PackageFileFacts } from '@skillgate/contracts/calls/skill-versions';
import type { SkillRequirements } from '@skillgate/contracts/tokens';
import type { SkillState } from '@skillgate/contracts/words';
import type { PackageFile } from '@skillgate/skill-format/digest';

/** What is wrong with a skill, or worth a look; lines and columns count from 1. */
export interface SkillProblem {
  rule: string;
  message: string;
  line?: number;
  column?: number;
}

/** One published version of a skill. Never changes: another text is another version. */
export interface SkillVersion {
  slug: string;
  /** Semantic version. */
  version: string;
  /** SHA-256 over all files of the package. */
  digest: string;
  title: string;
  /** One line, for the catalog. */
  description: string;
  hidden: boolean;
  defaultState: SkillState;
  requires: SkillRequirements;
  /** The instructions, in Markdown. */
  body: string;
  /** What its package holds; absent where that is not known. */
  files?: PackageFileFacts[];
  /** Present when the account's own users wrote it. */
  source?: 'account';
}

/** A version with the bytes of its files. */
export interface SkillPackage {
  skill: SkillVersion;
  files: readonly PackageFile[];
}

/** A folder that cannot be a skill, and why. */
export interface UnusableFolder {
  folder: string;
  problems: SkillProblem[];
}

/** A folder of the skills directory as it was read. */
export type FoundSkill = { ok: true; skill: SkillVersion; warnings: SkillProblem[]; files?: readonly PackageFile[] } | ({ ok: false } & UnusableFolder);

export const refOf = ({ slug, version }: Pick<SkillVersion, 'slug' | 'version'>): string => `${slug}@${version}`;
