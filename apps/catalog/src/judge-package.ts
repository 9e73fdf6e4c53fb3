import { listProfiles } from '@skillgate/contracts/calls/registry';
import type { SkillFinding } from '@skillgate/contracts/calls/skill-versions';
import type { PackageFile } from '@skillgate/skill-format/digest';
import { importSkills, type ImportedSkill } from '@skillgate/skill-format/import/import-skills';
import type { Finding, LintVocabulary } from '@skillgate/skill-format/lint/finding';
import { lintSkills } from '@skillgate/skill-format/lint/lint-skills';
import { baseToolNames, callToolName } from '@skillgate/prompt/base-tools';
import type { CatalogRoom } from './catalog-room.js';
import { packageInvalid } from './fetch-package.js';
import { filesOf } from './read-skills.js';
import type { SkillPackage } from './skill-version.js';

export interface JudgedPackage extends SkillPackage {
  findings: SkillFinding[];
}

/** What there is to name: what the registry has, and the outside systems that can be connected. Errors: `unavailable`. */
export async function vocabularyOf({ ask, shelf, integrations }: Pick<CatalogRoom, 'ask' | 'shelf' | 'integrations'>): Promise<LintVocabulary> {
  const [{ profiles }, skills] = await Promise.all([ask(listProfiles, {}), shelf.current()]);
  return {
    integrations,
    profiles: profiles.map(({ name }) => name),
    tools: profiles.flatMap(({ tools }) => tools),
    profileTools: Object.fromEntries(profiles.map(({ name, tools }) => [name, tools])),
    baseTools: [...baseToolNames, callToolName],
    skills: [...skills].map(([slug, { offered }]) => ({ slug, ...(offered && !offered.hidden && { description: offered.description }) })),
  };
}

/**
 * Every skill of a tree of files, linted. All of them or none: a package with one that cannot be read is refused with every reason
 * (`skill-package-invalid`). What the linter calls an error is in the findings; the caller says what that stops.
 */
export function judgePackage(files: readonly PackageFile[], mode: 'strict' | 'lenient', vocabulary: LintVocabulary): { skills: JudgedPackage[]; unused: string[] } {
  const { skills, invalid, unused } = importSkills(files, { mode, vocabulary });
  if (invalid.length > 0) throw packageInvalid(invalid.flatMap(({ problems }) => problems));
  return { skills: judged(skills, vocabulary), unused: [...unused] };
}

/** Each with what the linter finds in it, beside the others and beside what the house offers. */
export function judged(skills: readonly ImportedSkill[], vocabulary: LintVocabulary): JudgedPackage[] {
  const linted = lintSkills(skills.map(({ skill: { slug }, files }) => ({ folder: slug, files })), vocabulary);
  return skills.map((each) => withFindings(each, linted.filter(({ slug }) => slug === each.skill.slug)));
}

function withFindings({ skill, files, digest, warnings }: ImportedSkill, linted: readonly Finding[]): JudgedPackage {
  const { slug, version, title, description, hidden, defaultState, requires, body } = skill;
  // What a lenient import let pass is a warning here as well.
  const passed = new Set(warnings.map(({ rule }) => rule));
  const levelled = linted.map((finding): Finding => (passed.has(finding.rule) ? { ...finding, level: 'warning' } : finding));
  const findings = [...warnings.filter(({ rule }) => !linted.some((one) => one.rule === rule)), ...levelled];
  return { skill: { slug, version, digest, title, description, hidden, defaultState, requires, body, files: filesOf(files) }, files, findings };
}

export const errorsIn = <F extends { level: string }>(findings: readonly F[]): F[] => findings.filter(({ level }) => level === 'error');
