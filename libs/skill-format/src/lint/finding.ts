import type { PackageFile } from '../digest.js';
import type { Place } from '../problem.js';
import type { Vocabulary } from '../vocabulary.js';

/** What a linter says of a skill: what, where, and what to do about it. */
export interface Finding {
  /** Stable, kebab-case; the rules stand in `rules.ts`. */
  readonly rule: string;
  /** An error makes the skill unusable or unsafe; a warning makes it worse than it could be. */
  readonly level: 'error' | 'warning';
  /** The skill's folder. */
  readonly slug: string;
  /** Inside the folder, with `/` between parts. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
  readonly column: number;
  readonly message: string;
  readonly advice: string;
}

/** A folder of a skill with all its files. */
export interface SkillPackage {
  readonly folder: string;
  readonly files: readonly PackageFile[];
}

/** What exists in the house that the skills are for. A part that is absent is not checked. */
export interface LintVocabulary extends Vocabulary {
  /** Tools by profile, as `profiles.yaml` of the registry has them. */
  readonly profileTools?: Readonly<Record<string, readonly string[]>>;
  /** Tools that are there without any profile. */
  readonly baseTools?: readonly string[];
  /** Skills beside the linted ones; one with a description is compared with them. */
  readonly skills?: readonly { readonly slug: string; readonly description?: string }[];
}

/** A finding before it gets its skill, level and advice. */
export interface Found {
  readonly rule: string;
  readonly message: string;
  /** Default: SKILL.md. */
  readonly file?: string;
  readonly at?: Place;
}
