import { BorderStyle, type FileChild, HeadingLevel, type INumberingOptions, Paragraph } from 'docx';
import type { BlockContent, List, ListItem, RootContent } from 'mdast';
import { toString } from 'mdast-util-to-string';
import { paragraphDirection } from './bidi.js';
import { runsOf, textRuns } from './docx-runs.js';
import { bulletLevels, deepestLevel, markWidth, numberLevels, rule, step } from './docx-styles.js';
import { tableOf } from './docx-table.js';

const headingLevels = [
  HeadingLevel.HEADING_1,
  HeadingLevel.HEADING_2,
  HeadingLevel.HEADING_3,
  HeadingLevel.HEADING_4,
  HeadingLevel.HEADING_5,
  HeadingLevel.HEADING_6,
] as const;

/** Where a block stands. `level` counts lists, `indent` is in twentieths of a point. */
interface Place {
  level: number;
  indent: number;
  quoted: boolean;
  /** The list mark of the item's first paragraph. */
  numbering?: { reference: string; level: number; instance: number };
}

const outside: Place = { level: 0, indent: 0, quoted: false };

/** Writes prepared Markdown as Word blocks and collects the numberings that its lists need. */
export class BlockWriter {
  private readonly starts = new Set<number>();
  private lists = 0;

  write(nodes: readonly RootContent[]): FileChild[] {
    return nodes.flatMap((node) => this.block(node, outside));
  }

  numbering(): INumberingOptions {
    const numbers = [...this.starts].map((start) => ({ reference: `from-${start}`, levels: numberLevels(start) }));
    return { config: [{ reference: 'bullets', levels: bulletLevels }, ...numbers] };
  }

  private block(node: RootContent, place: Place): FileChild[] {
    switch (node.type) {
      case 'paragraph':
        return [new Paragraph({ ...layout(place, toString(node)), children: runsOf(node.children) })];
      case 'heading':
        return [
          new Paragraph({
            ...layout(place, toString(node)),
            style: undefined,
            heading: headingLevels[node.depth - 1],
            children: runsOf(node.children),
          }),
        ];
      case 'blockquote':
        return node.children.flatMap((child) =>
          this.block(child, { ...place, indent: place.indent + step, quoted: true, numbering: undefined }),
        );
      case 'list':
        return this.list(node, place);
      case 'code':
        return [new Paragraph({ ...layout(place, ''), style: 'CodeBlock', children: textRuns(node.value) })];
      case 'table':
        return [tableOf(node, place.indent), new Paragraph({ spacing: { after: 60 } })]; // two tables in a row would grow together
      case 'thematicBreak':
        return [new Paragraph({ border: { bottom: { style: BorderStyle.SINGLE, size: 6, space: 1, color: rule } } })];
      default:
        throw new Error(`no Word block for the Markdown node "${node.type}"`);
    }
  }

  /** Each list is an instance of its own, so that its numbers begin anew. */
  private list(list: List, place: Place): FileChild[] {
    const start = list.start ?? 1;
    const level = Math.min(place.level, deepestLevel);
    if (list.ordered) this.starts.add(start);
    const numbering = { reference: list.ordered ? `from-${start}` : 'bullets', level, instance: (this.lists += 1) };
    const inner = { ...place, level: place.level + 1, indent: place.indent + step };
    return list.children.flatMap((item) => this.item(item, inner, numbering));
  }

  /** The mark stands at the first paragraph; what follows in the item is indented under it. */
  private item(item: ListItem, place: Place, numbering: Place['numbering']): FileChild[] {
    const [first, ...rest] = item.children as BlockContent[];
    const marked = { ...place, numbering };
    const opening = first?.type === 'paragraph' ? this.block(first, marked) : [new Paragraph({ ...layout(marked, ''), children: [] })];
    const following = first && first.type !== 'paragraph' ? [first, ...rest] : rest;
    return [...opening, ...following.flatMap((child) => this.block(child, place))];
  }
}

function layout(place: Place, text: string) {
  const { quoted, numbering, indent } = place;
  return {
    ...paragraphDirection(text),
    ...(quoted ? { style: 'Quote' } : {}),
    ...(numbering ? { numbering } : {}),
    ...(indent > 0 ? { indent: { left: indent, ...(numbering ? { hanging: markWidth } : {}) } } : {}),
  };
}
