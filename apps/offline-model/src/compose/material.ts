import { parseJson } from '../read/json-in-text.js';
import type { Document } from './document.js';
import { htmlToMarkdown } from './html-to-markdown.js';
import { parseMarkdown } from './parse-markdown.js';
import { readDelimited, type Table } from './read-delimited.js';

/** What the work is done on: a file's text or what the user pasted. */
export interface Source {
  /** File name; '' for pasted text. */
  name: string;
  mime: string;
  text: string;
}

/** `partial`: the source is longer than what is here. */
export type Material = { name: string; partial?: boolean } & (
  | { kind: 'text'; document: Document; text: string }
  | { kind: 'table'; table: Table }
);

/** Looks at name, media type and content, and reads the text as a table or as a document. */
export function readMaterial(source: Source): Material {
  const kind = `${source.name} ${source.mime}`.toLowerCase();
  if (/\.(?:csv|tsv)\b|text\/(?:csv|tab-separated)/.test(kind)) {
    const table = readDelimited(source.text);
    if (table) return { name: source.name, kind: 'table', table };
  }
  const records = /\.json\b|application\/json/.test(kind) ? recordsIn(parseJson(source.text)) : undefined;
  if (records) return { name: source.name, kind: 'table', table: records };
  const html = /\.html?\b|text\/html/.test(kind) || /^\s*<(?:!doctype html|html)\b/i.test(source.text);
  const text = html ? htmlToMarkdown(source.text) : source.text;
  return { name: source.name, kind: 'text', document: parseMarkdown(text), text };
}

/** A list of flat objects is a table with its keys as columns. */
function recordsIn(value: unknown): Table | undefined {
  if (!Array.isArray(value) || value.length === 0 || !value.every((row) => typeof row === 'object' && row !== null && !Array.isArray(row)))
    return undefined;
  const rows = value as Record<string, unknown>[];
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const cell = (content: unknown): string =>
    content === undefined || content === null ? '' : typeof content === 'object' ? JSON.stringify(content) : String(content);
  return { columns, rows: rows.map((row) => columns.map((column) => cell(row[column]))), ragged: 0, decimalComma: false };
}
