import type { Brief, Part } from './brief.js';
import { escapeForMarkdown, withoutBackticks } from './plain-inline.js';

/** Markdown with `##` headings; the title as `#` only where no field beside the text takes it. */
export function briefAsMarkdown(brief: Brief, withTitle: boolean): string {
  const head = withTitle ? [`# ${escapeForMarkdown(brief.title)}`] : [];
  return [...head, ...brief.parts.map((part) => `## ${part.heading}\n\n${partAsMarkdown(part)}`)].join('\n\n') + '\n';
}

export function partAsMarkdown(part: Part): string {
  const lines = part.lines.map(escapeLine);
  return part.list ? lines.map((line) => `- ${line}`).join('\n') : lines.join(' ');
}

/** The bold label in front is ours; the rest is the source's. */
function escapeLine(line: string): string {
  const label = /^\*\*(.+?):\*\* /.exec(line);
  return label ? `**${escapeForMarkdown(label[1]!)}:** ${escapeForMarkdown(line.slice(label[0].length))}` : escapeForMarkdown(line);
}

/** The same without any marks. */
export function briefAsText(brief: Brief, withTitle: boolean): string {
  const plain = (line: string): string => withoutBackticks(line).replace(/^\*\*(.+?):\*\* /, '$1: ');
  const part = ({ heading, lines, list }: Part): string =>
    `${heading.toUpperCase()}\n${list ? lines.map((line) => `- ${plain(line)}`).join('\n') : lines.map(plain).join(' ')}`;
  return [...(withTitle ? [brief.title] : []), ...brief.parts.map(part)].join('\n\n') + '\n';
}
