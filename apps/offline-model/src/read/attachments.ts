import { unescapeEntities } from '../text/entities.js';

/** A file that the user gave, as far as the conversation tells. */
export interface Attachment {
  id: string;
  name: string;
  mime: string;
}

const artifactId = /\bart_[0-9a-f]{32}\b/;

/** Files named in a user's message: any line or element that holds an artifact id, with the name and media type beside it. */
export function attachmentsIn(text: string): Attachment[] {
  const found = new Map<string, Attachment>();
  for (const piece of piecesWithId(text)) {
    const id = artifactId.exec(piece)![0];
    if (!found.has(id)) found.set(id, { id, mime: mimeIn(piece), name: nameIn(piece, id) });
  }
  return [...found.values()];
}

/** The message without the lines and elements that list files. */
export function withoutAttachments(text: string): string {
  return text
    .replace(/<(attach\w*|files?|artifacts?)\b[^>]*>[\s\S]*?<\/\1>/gi, (block) => (artifactId.test(block) ? '' : block))
    .split('\n')
    .filter((line, i, lines) => !artifactId.test(line) && !introducesFiles(line, lines[i + 1]))
    .join('\n')
    .trim();
}

function introducesFiles(line: string, next: string | undefined): boolean {
  return next !== undefined && artifactId.test(next) && line.length < 120 && /\b(?:attach|file|artifact|upload)\w*\b/i.test(line);
}

/** Lines with an id; a line with several is cut after each. */
function piecesWithId(text: string): string[] {
  return text.split('\n').flatMap((line) => {
    const ids = [...line.matchAll(new RegExp(artifactId, 'g'))];
    if (ids.length < 2) return ids.length === 1 ? [line] : [];
    return line.split(/[;|]|\},|\/>|(?<=\)),/).filter((piece) => artifactId.test(piece));
  });
}

function mimeIn(piece: string): string {
  return /\b(?:text|application|image|audio|video)\/[\w.+-]+/.exec(piece)?.[0] ?? '';
}

function nameIn(piece: string, id: string): string {
  const labelled = /\b(?:file_?)?name["']?\s*[:=]\s*["'`]([^"'`]+)["'`]/i.exec(piece);
  if (labelled) return unescapeEntities(labelled[1]!);
  // "- report (final).md (text/markdown, 812 bytes), …": all before the brackets that tell type and size.
  const listed = /^\s*[-*•]\s+(.+?)\s+\([^()]*(?:\w\/\w|\bbytes\b)[^()]*\)/.exec(piece);
  if (listed) return listed[1]!;
  const rest = piece.replace(id, ' ').replace(mimeIn(piece), ' ');
  const quoted = /["'`“]([^"'`“”]+\.[A-Za-z0-9]{1,5})["'`”]/.exec(rest);
  if (quoted) return quoted[1]!.trim();
  // Unquoted: all up to an extension, so that "Q3 report.md" keeps its first word; list marks and labels go.
  const bare = /([^\n"'`()<>[\]|,;:=]+\.[A-Za-z0-9]{1,5})(?![\w.])/.exec(rest);
  return bare ? bare[1]!.replace(/^[\s*-]+/, '').trim() : '';
}
