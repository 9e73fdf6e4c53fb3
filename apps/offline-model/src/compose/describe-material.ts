import { countWords } from '../text/words.js';
import type { Material } from './material.js';
import { count } from './summarise-table.js';

/** One sentence of counts about a source: "plan.md: 812 words in 6 sections, 1 table." */
export function describeMaterial(material: Material): string {
  const name = material.name || 'The text in your message';
  const part = material.partial ? ' (only the part that could be read; the file is longer)' : '';
  if (material.kind === 'table')
    return `${name}${part}: ${count(material.table.rows.length, 'row')}, ${count(material.table.columns.length, 'column')}.`;
  const { sections } = material.document;
  const blocks = sections.flatMap((section) => section.blocks);
  const headed = sections.filter((section) => section.heading !== '').length;
  const tables = blocks.filter((block) => block.kind === 'table').length;
  const code = blocks.filter((block) => block.kind === 'code').length;
  return (
    [
      `${name}${part}: ${count(countWords(material.text), 'word')}${headed > 0 ? ` under ${count(headed, 'heading')}` : ''}`,
      ...(tables > 0 ? [count(tables, 'table')] : []),
      ...(code > 0 ? [count(code, 'code block')] : []),
    ].join(', ') + '.'
  );
}
