import type { JsonSchema, OfferedTool } from '../protocol/chat-request.js';
import type { Stuff } from './stuff.js';
import { parameterRole } from './parameter-role.js';

/** Formats in which the stand-in can write; others that a tool names are left to real models. */
const written = ['md', 'txt'];
const longestStem = 60;

/** A file name from the title, with the extension that the tool's words ask for. */
export function fileNameFor(tool: OfferedTool, stuff: Pick<Stuff, 'request' | 'brief'>): string {
  return `${slugOf(stuff.brief?.title ?? '') || 'document'}${extensionFor(tool, stuff.request)}`;
}

function extensionFor(tool: OfferedTool, request: string): string {
  const properties = Object.entries((tool.parameters.properties ?? {}) as Record<string, JsonSchema>);
  const parameter = properties.find(([name, schema]) => parameterRole(name, schema) === 'file-name')?.[1] ?? {};
  const pattern = String(parameter.pattern ?? '').replaceAll('\\', '');
  const offered = [...extensionsIn(`${String(parameter.description ?? '')} ${groupAsList(pattern)}`), ...extensionsIn(tool.description)];
  if (offered.length === 0) return '';
  const wanted = /\b(?:plain text|text file|\.?txt)\b/i.test(request) ? 'txt' : 'md';
  const writable = offered.filter((extension) => written.includes(extension));
  return `.${writable.includes(wanted) ? wanted : (writable[0] ?? offered[0])}`;
}

/** ".docx" or, in a list of formats, bare "md, csv". */
function extensionsIn(text: string): string[] {
  const dotted = [...text.matchAll(/(?<![\w])\.([a-z][a-z0-9]{1,4})\b/gi)].map((match) => match[1]!.toLowerCase());
  return dotted.length > 0
    ? dotted
    : [...text.matchAll(/\b(md|txt|csv|html|json|docx|xlsx|pptx|pdf)\b/gi)].map((match) => match[1]!.toLowerCase());
}

/** "(md|txt)$" of a pattern as ".md .txt". */
function groupAsList(pattern: string): string {
  return [...pattern.matchAll(/\.\(?(?:\?:)?([a-z0-9|]+)\)?/gi)]
    .flatMap((match) => match[1]!.split('|').map((extension) => `.${extension}`))
    .join(' ');
}

function slugOf(title: string): string {
  const plain = title
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/ß/g, 'ss')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
  if (plain.length <= longestStem) return plain;
  // Cut at a word, and not behind "of-the".
  return plain
    .slice(0, longestStem)
    .replace(/-[^-]*$/, '')
    .replace(/(?:-[a-z]{1,3}|-(?:what|with|from|into|that|this))+$/, '');
}
