import { countWords } from '../text/words.js';
import type { Block, Document, Section } from './document.js';
import { plainInline } from './plain-inline.js';

const clock = '(?:\\[?\\d{1,2}:\\d{2}(?::\\d{2})?\\]?\\s*[-–]?\\s*)?';
const someName = "\\p{Lu}[\\p{L}.'’-]*(?: (?:\\p{Lu}[\\p{L}.'’-]*|\\d{1,2})){0,2}";
/** "Ana: …", "[10:02] Tom Beck (CFO): …", "**Speaker 2:** …" */
const speaker = new RegExp(`^${clock}(?:\\*\\*)?${someName}(?:\\*\\*)?\\s*(?:\\([^)]{1,30}\\))?:(?:\\*\\*)?\\s+\\S`, 'u');
const item = /^(\s*)(?:[-*+•]|\d{1,3}[.)])\s+(?:\[([ xX])\]\s+)?(.*)$/;
/** This many lines of "Name: words" make a transcript. */
const leastSpeakers = 3;

/** Markdown, plain text or a transcript as sections and blocks. Never throws: what it does not know is a paragraph. */
export function parseMarkdown(source: string): Document {
  const text = source
    .replace(/^\uFEFF/, '')
    .replace(/\r\n?/g, '\n')
    .replace(/^---\n[\s\S]*?\n(?:---|\.\.\.)(?:\n|$)/, '')
    .replace(/<!--[\s\S]*?-->/g, '');
  const lines = text.split('\n');
  const transcript = lines.filter((line) => speaker.test(line)).length >= leastSpeakers;
  const sections: Section[] = [{ heading: '', level: 0, blocks: [] }];
  let running: { kind: Block['kind']; lines: string[]; open?: boolean } | undefined;

  const close = (): void => {
    const words = running ? plainInline(running.lines.join(' ')) : '';
    if (words !== '') sections.at(-1)!.blocks.push({ kind: running!.kind, text: words, ...(running!.open ? { open: true } : {}) });
    running = undefined;
  };
  const head = (heading: string, level: number): void => {
    close();
    sections.push({
      heading: plainInline(heading)
        .replace(/[:#\s]+$/, '')
        .replaceAll('`', ''),
      level,
      blocks: [],
    });
  };

  for (let at = 0; at < lines.length; at++) {
    const line = lines[at]!;
    const next = lines[at + 1] ?? '';
    const fence = /^\s*(```+|~~~+)/.exec(line)?.[1];
    if (fence) {
      close();
      const start = at;
      do at++;
      while (at < lines.length && !lines[at]!.trim().startsWith(fence));
      sections.at(-1)!.blocks.push({ kind: 'code', text: '', size: at - start - 1 });
    } else if (/^#{1,6}\s+\S/.test(line)) head(line.replace(/^#+\s+/, ''), /^#+/.exec(line)![0].length);
    else if (/\S/.test(line) && /^(?:={3,}|-{3,})\s*$/.test(next) && !running && !line.includes('|')) {
      head(line, next.startsWith('=') ? 1 : 2);
      at++;
    } else if (/^\s*(?:[-*_]\s*){3,}$/.test(line)) close();
    else if (isTableStart(line, next)) {
      close();
      const start = at + 2;
      for (at = start; at < lines.length && lines[at]!.includes('|'); ) at++;
      const columns = line
        .split(/(?<!\\)\|/)
        .map((cell) => plainInline(cell))
        .filter((cell) => cell !== '');
      sections.at(-1)!.blocks.push({ kind: 'table', text: columns.join(', '), size: at-- - start });
    } else if (/^\s*$/.test(line)) close();
    else if (isTitleLine(line, lines.slice(0, at), next) && !item.test(line)) head(line, 1);
    else if (isLabel(line, lines.slice(at + 1)) || isShoutedHeading(line, running !== undefined, next)) head(line, 3);
    else if (item.test(line)) {
      close();
      const [, , box, words] = item.exec(line)!;
      running = { kind: 'item', lines: [words!], open: box === ' ' };
    } else if (transcript && speaker.test(line)) {
      close();
      running = { kind: 'speech', lines: [line] };
    } else if (/^(?: {4}|\t)\s*\S/.test(line) && !running) {
      const start = at;
      while (/^(?: {4}|\t|\s*$)/.test(lines[at + 1] ?? 'x')) at++;
      sections.at(-1)!.blocks.push({ kind: 'code', text: '', size: at - start + 1 });
    } else {
      running ??= { kind: 'paragraph', lines: [] };
      running.lines.push(line.replace(/^\s*>\s?/, ''));
    }
  }
  close();
  const kept = sections.filter((section) => section.heading !== '' || section.blocks.length > 0);
  return { title: titleIn(kept), sections: kept };
}

function isTableStart(line: string, next: string): boolean {
  return line.includes('|') && /^\s*\|?\s*:?-{2,}:?\s*(?:\|\s*:?-*:?\s*)*$/.test(next) && next.includes('-');
}

/** "Decisions:" alone on its line, with a list under it, heads that list. */
function isLabel(line: string, after: string[]): boolean {
  const next = after.find((other) => other.trim() !== '');
  return /^(?:\*\*)?\p{Lu}[^.:]*:(?:\*\*)?\s*$/u.test(line) && countWords(line) <= 4 && next !== undefined && item.test(next);
}

/** The first line, when it is short, alone and no sentence: plain text and transcripts name themselves so. */
function isTitleLine(line: string, before: string[], next: string): boolean {
  return (
    next.trim() === '' &&
    before.every((other) => other.trim() === '') &&
    countWords(line) <= 10 &&
    /^\p{Lu}/u.test(line) &&
    !/[.!?:;,|>]\s*$/.test(line)
  );
}

/** "SCOPE AND AIM" alone on its line: how plain text writes a heading. */
function isShoutedHeading(line: string, inParagraph: boolean, next: string): boolean {
  const words = line.trim();
  return (
    !inParagraph &&
    next.trim() === '' &&
    words.length >= 4 &&
    words.length <= 70 &&
    /\p{Lu}{2}/u.test(words) &&
    words === words.toUpperCase() &&
    /^[\p{Lu}\d][\p{Lu}\d\s,&/'’()-]*$/u.test(words)
  );
}

/** The first heading when it opens the text, or the first of level 1. */
function titleIn(sections: Section[]): string {
  const opening = sections[0];
  if (opening && opening.heading !== '') return opening.heading;
  return sections.find((section) => section.level === 1)?.heading ?? '';
}
