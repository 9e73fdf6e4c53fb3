import { unescapeEntities } from '../text/entities.js';

/** Markdown of one block as readable text: links become their words, emphasis goes, code spans stay in backticks. */
export function plainInline(markdown: string): string {
  const kept: string[] = [];
  const keep = (text: string): string => `\u0000${kept.push(text) - 1}\u0000`;
  // Code spans and escaped marks are put aside, so that a `*` or `_` in them is not taken for emphasis.
  const text = markdown
    .replaceAll('\u0000', '')
    .replace(/(`+)(.+?)\1(?!`)/g, (_, _ticks, code: string) => keep(`\`${code.replaceAll('`', "'").trim()}\``))
    .replace(/\\([\\`*_{}[\]()#+\-.!|<>~])/g, (_, mark: string) => keep(mark))
    .replace(/<!--[\s\S]*?-->/g, '')
    .replace(/!\[[^\]]*\](?:\([^)]*\)|\[[^\]]*\])/g, '')
    .replace(/\[\^[^\]]+\]/g, '')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/\[([^\]]+)\]\[[^\]]*\]/g, '$1')
    .replace(/<((?:https?|mailto):[^>\s]+)>/g, '$1')
    .replace(/<\/?[a-z][^>]*>/gi, ' ')
    .replace(/(\*\*|__|~~)(?=\S)([\s\S]*?\S)\1/g, '$2')
    .replace(/(?<![\w*])\*(?=\S)([^*]*?\S)\*(?![\w*])/g, '$1')
    .replace(/(?<![\w_])_(?=\S)([^_]*?\S)_(?![\w_])/g, '$1');
  return unescapeEntities(text)
    .replace(/\u0000(\d+)\u0000/g, (_, index: string) => kept[Number(index)]!)
    .replace(/\s+/g, ' ')
    .trim();
}

/** Code spans without their backticks, for text that no Markdown reader will see. */
export function withoutBackticks(text: string): string {
  return text.replaceAll('`', '');
}

/** Makes extracted text safe to stand in Markdown again; code spans keep theirs. */
export function escapeForMarkdown(text: string): string {
  return text
    .split(/(`[^`]*`)/)
    .map((part) => (part.startsWith('`') ? part : part.replace(/([\\*]|<(?=[a-z/!])|(?<!\w)_|_(?!\w))/gi, '\\$1')))
    .join('');
}
