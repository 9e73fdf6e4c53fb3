import { unescapeEntities } from '../text/entities.js';
import { attributesOf } from './attributes.js';

/** A line of the catalog: all that is known of a skill before it is loaded. */
export interface CatalogLine {
  slug: string;
  description: string;
}

// Prose may name the mark before the block begins: the body holds no second opening.
const block = /<available_skills\b[^>]*>((?:(?!<available_skills\b)[\s\S])*?)<\/available_skills>/g;
const slugShape = '[a-z0-9]+(?:-[a-z0-9]+)*';

/**
 * Reads the `<available_skills>` blocks of the system text: lines `- slug: description` or elements that carry slug and
 * description as attributes, children or text. A later line of the same slug replaces the earlier; notices of what came
 * and went count in their order.
 */
export function readCatalog(system: string[]): CatalogLine[] {
  const lines = new Map<string, CatalogLine>();
  for (const text of system) {
    for (const found of text.matchAll(block)) {
      for (const line of [...fromLines(found[1]!), ...fromElements(found[1]!)]) lines.set(line.slug, line);
    }
    applyNotices(text, lines);
  }
  return [...lines.values()];
}

function fromLines(body: string): CatalogLine[] {
  const line = new RegExp(`^\\s*[-*]\\s+[\`*]*(${slugShape})[\`*]*(?:\\s*[:–—]|\\s+-)\\s+(.+)$`, 'gm');
  return [...body.matchAll(line)].map((match) => ({ slug: match[1]!, description: unescapeEntities(match[2]!.trim()) }));
}

function fromElements(text: string): CatalogLine[] {
  const lines: CatalogLine[] = [];
  // The body may not hold a second opening, or one self-closing element would swallow its neighbour.
  for (const match of text.matchAll(/<skill\b([^>]*?)(?:\/>|>((?:(?!<skill\b)[\s\S])*?)<\/skill>)/g)) {
    const attributes = attributesOf(match[1]!);
    const body = match[2] ?? '';
    const slug = attributes.slug ?? attributes.name ?? attributes.id ?? child(body, 'slug|name|id');
    const description =
      attributes.description ?? child(body, 'description|summary') ?? unescapeEntities(body.replace(/<[^>]*>/g, ' ')).trim();
    if (slug && new RegExp(`^${slugShape}$`).test(slug)) lines.push({ slug, description: description.replace(/\s+/g, ' ').trim() });
  }
  return lines;
}

/** A frozen catalog is amended by lines "now also available: slug: description" and "no longer available: slug". */
function applyNotices(text: string, lines: Map<string, CatalogLine>): void {
  const notice = new RegExp(`^\\s*[-*]\\s+(?:(now(?: also)? available)|no longer available):\\s*(${slugShape})(?:\\s*:\\s*(.+))?$`, 'gm');
  for (const [, added, slug, description] of text.matchAll(notice)) {
    if (added === undefined) lines.delete(slug!);
    else lines.set(slug!, { slug: slug!, description: unescapeEntities(description ?? '') });
  }
}

function child(body: string, names: string): string | undefined {
  const match = new RegExp(`<(${names})>([\\s\\S]*?)</\\1>`).exec(body);
  return match ? unescapeEntities(match[2]!).trim() : undefined;
}

/** The words of a slug, for people: `weekly-report` is "weekly report". */
export function titleOf(slug: string): string {
  return slug.replaceAll('-', ' ');
}
