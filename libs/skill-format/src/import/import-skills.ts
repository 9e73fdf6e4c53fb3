import { posix } from 'node:path';
import { pathProblem } from '../check-path.js';
import { digestPackage, type PackageFile } from '../digest.js';
import type { Finding } from '../lint/finding.js';
import { lintRules } from '../lint/rules.js';
import { parseSkill, type ParsedSkill } from '../parse.js';
import type { Problem } from '../problem.js';
import type { Vocabulary } from '../vocabulary.js';
import { findPackages, type FoundPackage } from './find-packages.js';

export interface ImportOptions {
  /**
   * `lenient`: unknown fields, metadata of others, a name that differs from the folder and a misspelt `SKILL.md` are warnings.
   * Whatever opens tools, hides a skill or shows in the catalog is as strict as ever.
   */
  readonly mode: 'strict' | 'lenient';
  readonly vocabulary?: Vocabulary;
  /** Folder of a skill that lies at the top, such as the name of its zip. Default: the name in its header. */
  readonly folder?: string;
}

export interface ImportedSkill {
  readonly skill: ParsedSkill;
  /** Paths inside the skill's own folder. */
  readonly files: readonly PackageFile[];
  /** SHA-256 of the files. */
  readonly digest: string;
  readonly warnings: readonly Finding[];
}

export interface Import {
  readonly skills: readonly ImportedSkill[];
  /** What looks like a skill and cannot be used, each with every reason. */
  readonly invalid: readonly { readonly folder: string; readonly problems: readonly Finding[] }[];
  /** Files that belong to no skill. */
  readonly unused: readonly string[];
}

/** Of one skill, as the catalog reads it. */
const maxFiles = 200;
const maxBytes = 8 * 2 ** 20;

/** Reads every skill in a tree of files: one at the top, or one in each folder that has a SKILL.md. Pure; nothing is dropped without being named. */
export function importSkills(files: readonly PackageFile[], options: ImportOptions): Import {
  const { packages, unused } = findPackages(files);
  const skills: ImportedSkill[] = [];
  const invalid: { folder: string; problems: Finding[] }[] = [];
  if (packages.length === 0) invalid.push({ folder: options.folder ?? '', problems: [finding(options.folder ?? '', missing)] });
  for (const found of packages) {
    const read = readPackage(found, options);
    const twin = 'skill' in read && skills.find(({ skill }) => skill.slug === read.skill.slug);
    if ('problems' in read) invalid.push({ folder: read.folder, problems: read.problems });
    else if (twin) invalid.push({ folder: found.folder, problems: [finding(found.folder, named(twin.skill.slug))] });
    else skills.push(read);
  }
  return { skills, invalid, unused };
}

function readPackage(found: FoundPackage, options: ImportOptions): ImportedSkill | { folder: string; problems: Finding[] } {
  const lenient = options.mode === 'lenient';
  const folder = posix.basename(found.folder) || (options.folder ?? nameIn(found.main));
  const refuse = (...problems: Problem[]) => ({ folder: found.folder || folder, problems: problems.map((problem) => finding(folder, problem)) });
  if (!lenient && found.misspelt !== undefined) return refuse(misspelt(found.misspelt, 'error'));
  const unsafe = found.files.flatMap(({ path }): Problem[] => {
    const message = pathProblem(path);
    return message ? [{ rule: 'package-path', severity: 'error', message }] : [];
  });
  const bytes = found.files.reduce((sum, file) => sum + file.bytes.length, 0);
  if (found.files.length > maxFiles || bytes > maxBytes) unsafe.push(tooMuch);
  const parsed = parseSkill(found.main.bytes, folder, options.vocabulary, { lenient });
  if (unsafe.length > 0 || !parsed.ok) return refuse(...unsafe, ...(parsed.ok ? [] : parsed.problems));
  const warnings = [...(found.misspelt === undefined ? [] : [misspelt(found.misspelt, 'warning')]), ...parsed.warnings];
  try {
    const digest = digestPackage(found.files);
    return { skill: parsed.skill, files: found.files, digest, warnings: warnings.map((warning) => finding(parsed.skill.slug, warning)) };
  } catch (cause) {
    return refuse({ rule: 'package-path', severity: 'error', message: (cause as Error).message }); // two paths that are one
  }
}

/** A skill at the top has no folder to be compared with, so it gets the name that it gives itself. */
const nameIn = ({ bytes }: PackageFile): string => /^name:[ \t]*["']?([a-z0-9-]{1,64})/m.exec(Buffer.from(bytes).toString('utf8', 0, 4096))?.[1] ?? 'skill';

const missing: Problem = { rule: 'skill-md-missing', severity: 'error', message: 'There is no SKILL.md in any folder.' };
const tooMuch: Problem = {
  rule: 'package-size',
  severity: 'error',
  message: `The skill holds more than ${maxFiles} files or ${maxBytes} bytes; keep what a model needs.`,
};
const named = (slug: string): Problem => ({ rule: 'name-twice', severity: 'error', message: `Another folder holds a skill named "${slug}" too; rename or remove one.` });
const misspelt = (name: string, severity: Problem['severity']): Problem => ({
  rule: 'skill-md-case',
  severity,
  message: `The file is called ${name} and must be called SKILL.md.`,
});

const advices: Readonly<Record<string, string>> = {
  'package-size': 'Leave out generated files and pictures that no model reads.',
  'name-twice': 'Rename the skill in its header and its folder.',
  'skill-md-case': 'Rename the file.',
};

function finding(slug: string, { rule, severity, message, line = 1, column = 1 }: Problem): Finding {
  const advice = advices[rule] ?? lintRules[rule]?.advice ?? 'Correct the package and import it again.';
  return { rule, level: severity, slug, file: 'SKILL.md', line, column, message, advice };
}
