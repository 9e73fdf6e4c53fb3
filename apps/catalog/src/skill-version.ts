import type { SkillRequirements } from '@skillgate/contracts/tokens';
import type { SkillState } from '@skillgate/contracts/words';

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
}

/** A folder that cannot be a skill, and why. */
export interface UnusableFolder {
  folder: string;
  problems: SkillProblem[];
}

/** A folder of the skills directory as it was read. */
export type FoundSkill = { ok: true; skill: SkillVersion; warnings: SkillProblem[] } | ({ ok: false } & UnusableFolder);

export const refOf = ({ slug, version }: Pick<SkillVersion, 'slug' | 'version'>): string => `${slug}@${version}`;
