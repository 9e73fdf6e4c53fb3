import type { JsonSchema, OfferedTool } from '../protocol/chat-request.js';
import { parameterRole } from './parameter-role.js';

/** How a tool deals with files: it reads one, it makes one, or neither. */
export type Trait = 'reader' | 'writer' | 'other';

export function traitOf(tool: OfferedTool): Trait {
  const properties = Object.entries((tool.parameters.properties ?? {}) as Record<string, JsonSchema>);
  const roles = properties.map(([name, schema]) => parameterRole(name, schema));
  const deepRoles = properties.flatMap(([, schema]) =>
    Object.entries(((schema.items as JsonSchema | undefined)?.properties ?? {}) as Record<string, JsonSchema>).map(([name, inner]) =>
      parameterRole(name, inner),
    ),
  );
  const composes = roles.includes('content') || deepRoles.includes('content');
  if (composes && roles.includes('file-name')) return 'writer';
  return roles.includes('artifact') && !composes ? 'reader' : 'other';
}

/** Kinds of files, with the words by which descriptions, names and users call them. */
const kinds: [string, RegExp][] = [
  // "Word" needs its capital or its noun: "in a word" names no file.
  ['word', /\b[Ww]ord (?:file|document|doc)s?\b|\bWord\b|\b(?:DOCX?|[Dd]ocx?)\b|wordprocessingml/],
  ['spreadsheet', /\b(?:xlsx?|excel|spreadsheets?)\b|spreadsheetml/i],
  ['slides', /\b(?:pptx?|powerpoint|slides?|presentations?)\b|presentationml/i],
  ['pdf', /\bpdf\b/i],
  ['image', /\b(?:png|jpe?g|gif|webp|images?)\b/i],
  ['text', /\b(?:text|txt|md|markdown|csv|tsv|html?|json|log)\b/i],
];

/** Kinds named in a text; in a file's name and media type, the kinds that it is of. */
export function kindsIn(text: string): Set<string> {
  const words = text.replace(/[_.]/g, ' ');
  return new Set(kinds.filter(([, pattern]) => pattern.test(words)).map(([kind]) => kind));
}

export function kindOfFile(name: string, mime: string): string | undefined {
  const extension = /\.([A-Za-z0-9]+)$/.exec(name)?.[1] ?? '';
  return [...kindsIn(extension)][0] ?? [...kindsIn(mime.split('/').at(-1) ?? '')][0] ?? [...kindsIn(mime.replace('/', ' '))][0];
}

/** Can it open such a file, by its own words? One that names no kind claims all. */
export function opens(tool: OfferedTool, file: { name: string; mime: string }): boolean {
  const kind = kindOfFile(file.name, file.mime);
  const claimed = kindsOf(tool);
  return kind === undefined || claimed.size === 0 || claimed.has(kind);
}

/** The name speaks first, since a description may also say what the tool does not do. */
export function kindsOf(tool: OfferedTool): Set<string> {
  const named = kindsIn(tool.name);
  if (named.size > 0) return named;
  return kindsIn(tool.description.replace(/\b(?:not|never|no|instead of|rather than|except)\b[^.;]*/gi, ' '));
}
