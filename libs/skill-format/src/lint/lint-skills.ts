import { pathProblem } from '../check-path.js';
import type { Problem } from '../problem.js';
import { bodyRules } from './body-rules.js';
import { describeRules } from './describe-rules.js';
import { fileRules } from './file-rules.js';
import type { Finding, Found, LintVocabulary, SkillPackage } from './finding.js';
import { houseRules } from './house-rules.js';
import { openPackage, type OpenedSkill } from './open-package.js';
import { referenceRules } from './reference-rules.js';
import { lintRules } from './rules.js';
import { toolRules } from './tool-rules.js';

/**
 * Judges packages against the specification, the house and each other. Findings stand in the order of folder, file and place.
 * Pure, and total: a package that cannot be read is a finding. Overlaps and near misses are looked for among the packages given.
 */
export function lintSkills(packages: readonly SkillPackage[], vocabulary: LintVocabulary = {}): Finding[] {
  const opened = packages.map((each) => openPackage(each, vocabulary));
  const between = houseRules(opened, vocabulary);
  const findings = opened.flatMap((one) => {
    const found = [...specification(one), ...describeRules(one), ...bodyRules(one), ...toolRules(one, vocabulary), ...fileRules(one), ...referenceRules(one)];
    return [...found, ...(between.get(one.folder) ?? [])].map((each) => finding(one.folder, each));
  });
  return findings.sort(byPlace);
}

/** Problems of the parsers keep their rules. */
function specification({ main, files, problems, routingProblems }: OpenedSkill): Found[] {
  const of = (file: string) => ({ rule, message, line = 1, column = 1 }: Problem): Found => ({ rule, message, file, at: { line, column } });
  const missing: Found[] = main ? [] : [{ rule: 'skill-md-missing', message: 'The folder has no SKILL.md.' }];
  const paths = files.flatMap(({ path }): Found[] => {
    const message = pathProblem(path);
    return message ? [{ rule: 'package-path', message, file: path }] : [];
  });
  return [...missing, ...paths, ...problems.map(of('SKILL.md')), ...routingProblems.map(of('routing.yaml'))];
}

function finding(slug: string, { rule, message, file = 'SKILL.md', at = { line: 1, column: 1 } }: Found): Finding {
  const { level, advice } = lintRules[rule] ?? unlisted(rule);
  return { rule, level, slug, file, line: at.line, column: at.column, message, advice };
}

function unlisted(rule: string): never {
  throw new Error(`the rule "${rule}" is not in lintRules; add it there with its advice`);
}

const byPlace = (a: Finding, b: Finding): number =>
  compare(a.slug, b.slug) || compare(a.file, b.file) || a.line - b.line || a.column - b.column || compare(a.rule, b.rule);

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
