import type { SkillRequirements } from '@skillgate/contracts/tokens';
import type { SkillState } from '@skillgate/contracts/words';
import { checkAllowedTools } from './check-allowed-tools.js';
import { checkDescription } from './check-description.js';
import { checkMetadata } from './check-metadata.js';
import { checkName } from './check-name.js';
import { decodeText } from './decode-text.js';
import { checkKeys, optionalText, type Header } from './header.js';
import { error, type Problem } from './problem.js';
import { readYamlMap } from './read-yaml.js';
import { scanText } from './scan-text.js';
import { splitFrontMatter } from './split-front-matter.js';
import type { Vocabulary } from './vocabulary.js';

export interface ParsedSkill {
  readonly slug: string;
  /** One line, 1 to 1024 characters, without marks or hidden characters. */
  readonly description: string;
  readonly title: string;
  /** Semantic version; 0.0.0 when the header names none. */
  readonly version: string;
  readonly defaultState: SkillState;
  readonly hidden: boolean;
  readonly requires: SkillRequirements;
  /** Markdown below the header, with `\n` line ends, never empty. */
  readonly body: string;
  readonly license?: string;
  readonly compatibility?: string;
  readonly allowedTools: readonly string[];
}

/** A skill that may be used, with hints for its reviewer; or every error found, and then nothing of it may be used. */
export type ParsedPackage =
  | { readonly ok: true; readonly skill: ParsedSkill; readonly warnings: readonly Problem[] }
  | { readonly ok: false; readonly problems: readonly Problem[] };

/**
 * Parses a SKILL.md: the one parser for upload, catalog, load and export. `folder` is the name of the folder it lies in.
 * Follows the Agent Skills specification (agentskills.io/specification); our fields are texts under `metadata` that begin with
 * `skillgate.`. With a `vocabulary`, names that do not exist in this house are errors. `lenient`: unknown fields, metadata of others
 * and a name that differs from the folder are warnings.
 */
export function parseSkill(bytes: Uint8Array, folder: string, vocabulary: Vocabulary = {}, { lenient = false } = {}): ParsedPackage {
  const decoded = decodeText(bytes);
  if ('problem' in decoded) return { ok: false, problems: [decoded.problem] };
  const parts = splitFrontMatter(decoded.text);
  if ('problem' in parts) return { ok: false, problems: [parts.problem] };
  const yaml = readYamlMap(parts.header, 2);
  if ('problems' in yaml) return { ok: false, problems: yaml.problems };

  const header: Header = { fields: yaml.fields, problems: [], lenient };
  checkKeys(header);
  const slug = checkName(header, folder);
  const description = checkDescription(header);
  const license = optionalText(header, 'license', 500);
  const compatibility = optionalText(header, 'compatibility', 500);
  const metadata = checkMetadata(header, slug ?? folder, vocabulary);
  const allowedTools = checkAllowedTools(header, vocabulary);
  const body = parts.body
    .replaceAll('\uFEFF', '')
    .replace(/^(?:[ \t]*\n)+/, '')
    .trimEnd(); // stray byte-order marks, empty lines around
  if (body === '')
    header.problems.push(
      error('body-empty', 'There is no text below the header; write the instructions there.', { line: parts.bodyLine, column: 1 }),
    );

  const broken = header.problems.some(({ severity }) => severity === 'error');
  if (slug === undefined || description === undefined || broken) return { ok: false, problems: header.problems };
  const optional = { ...(license !== undefined && { license }), ...(compatibility !== undefined && { compatibility }) };
  return {
    ok: true,
    skill: { slug, description, ...metadata, body, ...optional, allowedTools },
    warnings: [...header.problems, ...scanText(parts.body, parts.bodyLine)],
  };
}
