import { unescapeEntities } from '../text/entities.js';

/** Enough of HTML to read a page's prose: headings, paragraphs, list items. Scripts, styles and navigation go. */
export function htmlToMarkdown(html: string): string {
  const body = html
    .replace(/<!--[\s\S]*?-->/g, '')
    .replace(/<(script|style|head|nav|template|svg)\b[\s\S]*?<\/\1>/gi, '')
    .replace(
      /<h([1-6])\b[^>]*>([\s\S]*?)<\/h\1>/gi,
      (_, level: string, words: string) => `\n\n${'#'.repeat(Number(level))} ${oneLine(words)}\n\n`,
    )
    .replace(/<li\b[^>]*>/gi, '\n- ')
    .replace(/<\/(?:td|th)>/gi, ' ')
    .replace(/<(?:br|hr)\b[^>]*>/gi, '\n')
    .replace(/<\/?(?:p|div|section|article|main|header|footer|ul|ol|table|tr|blockquote|pre|dl|dt|dd)\b[^>]*>/gi, '\n\n')
    .replace(/<[^>]+>/g, '');
  return unescapeEntities(body)
    .replace(/[ \t]+/g, ' ')
    .replace(/\n\s*\n\s*/g, '\n\n')
    .trim();
}

function oneLine(html: string): string {
  return html
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}
