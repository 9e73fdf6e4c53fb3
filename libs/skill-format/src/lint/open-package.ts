import { decodeAnyLength, decodeText } from '../decode-text.js';
import { parseSkill, type ParsedSkill } from '../parse.js';
import { placer } from '../placer.js';
import type { Place, Problem } from '../problem.js';
import { parseRouting, type Routing } from '../routing.js';
import { splitFrontMatter } from '../split-front-matter.js';
import type { LintVocabulary, SkillPackage } from './finding.js';

/** A file as the rules read it. */
export interface OpenedFile {
  readonly path: string;
  readonly size: number;
  /** Absent when the bytes are no text. */
  readonly text?: string;
  /** For a search through anything: the text, or each byte as a character. */
  readonly searchable: string;
  readonly placeOf: (offset: number) => Place;
  /** Why it is no text. */
  readonly problem?: Problem;
}

/** A package, read once for all rules. */
export interface OpenedSkill {
  readonly folder: string;
  readonly files: readonly OpenedFile[];
  readonly main?: OpenedFile;
  /** Where in SKILL.md the instructions begin; 0 when the header cannot be told from them. */
  readonly bodyOffset: number;
  /** Absent when the package cannot be used. */
  readonly skill?: ParsedSkill;
  readonly problems: readonly Problem[];
  readonly routing?: Routing;
  readonly routingProblems: readonly Problem[];
}

export function openPackage({ folder, files }: SkillPackage, vocabulary: LintVocabulary): OpenedSkill {
  const opened = files.map(({ path, bytes }) => openFile(path, bytes)).sort((a, b) => (a.path < b.path ? -1 : 1));
  const main = files.find(({ path }) => path === 'SKILL.md');
  const parsed = main && parseSkill(main.bytes, folder, vocabulary);
  const sentences = files.find(({ path }) => path === 'routing.yaml');
  const routing = sentences && parseRouting(sentences.bytes);
  return {
    folder,
    files: opened,
    ...(main && { main: opened.find(({ path }) => path === 'SKILL.md')! }),
    bodyOffset: main ? bodyOffset(main.bytes) : 0,
    ...(parsed?.ok && { skill: parsed.skill }),
    problems: parsed && !parsed.ok ? parsed.problems : [],
    ...(routing?.ok && { routing: routing.routing }),
    routingProblems: routing && !routing.ok ? routing.problems : [],
  };
}

function openFile(path: string, bytes: Uint8Array): OpenedFile {
  const decoded = decodeAnyLength(bytes);
  const searchable = 'text' in decoded ? decoded.text : Buffer.from(bytes).toString('latin1');
  const common = { path, size: bytes.length, searchable, placeOf: placer(searchable) };
  return 'text' in decoded ? { ...common, text: decoded.text } : { ...common, problem: decoded.problem };
}

function bodyOffset(bytes: Uint8Array): number {
  const decoded = decodeText(bytes);
  const parts = 'text' in decoded ? splitFrontMatter(decoded.text) : undefined;
  return parts && 'body' in parts && 'text' in decoded ? decoded.text.length - parts.body.length : 0;
}

/** The place of a header field's line, such as `description` or `skillgate.tools`; the first line when it has none. */
export function fieldPlace({ main, bodyOffset: end }: OpenedSkill, key: string): Place {
  const header = main?.text?.slice(0, end) ?? '';
  const found = new RegExp(`^[ \\t]*["']?${key.replaceAll('.', '\\.')}["']?[ \\t]*:`, 'm').exec(header);
  return found && main ? main.placeOf(found.index + found[0].search(/\S/)) : { line: 1, column: 1 };
}
