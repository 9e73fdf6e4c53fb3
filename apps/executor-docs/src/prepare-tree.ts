import { refuse } from '@skillgate/contracts/refusal';
import type { Definition, FootnoteDefinition, ListItem, Node, Paragraph, Parent, PhrasingContent, Root, RootContent, Text } from 'mdast';
import { toString } from 'mdast-util-to-string';

/** Blocks inside blocks; deeper text is no document, and would exhaust the stack. */
const deepestNesting = 40;

/** A tree of few node types, with everything said that a Word file cannot hold as it was written. */
export interface PreparedTree {
  /** Holds no html, image, reference, definition, footnote or checkbox: they have become text. */
  root: Root;
  notes: string[];
}

/**
 * Rewrites what Word has no place for, in one step before both the writer and the checker of the file, so that these
 * two agree on what was meant and still look at the text independently.
 */
export function prepareTree(tree: Root, title: string): PreparedTree {
  const work = new Preparation(tree);
  const children = dropRepeatedTitle(work.blocks(tree, 0) as RootContent[], title, work.notes);
  return { root: { type: 'root', children: [...children, ...work.footnotes()] }, notes: work.toldNotes() };
}

class Preparation {
  readonly notes = new Set<string>();
  private readonly definitions = new Map<string, Definition>();
  private readonly notesByName = new Map<string, FootnoteDefinition>();
  private readonly numbers = new Map<string, number>();
  private readonly counts = { images: 0, links: [] as string[] };

  constructor(tree: Root) {
    visit(tree, (node) => {
      if (node.type === 'definition') this.definitions.set((node as Definition).identifier, node as Definition);
      if (node.type === 'footnoteDefinition') this.notesByName.set((node as FootnoteDefinition).identifier, node as FootnoteDefinition);
    });
  }

  blocks(parent: Parent, depth: number): Node[] {
    if (depth > deepestNesting) {
      throw refuse(
        'markdown-too-deep',
        `The Markdown nests more than ${deepestNesting} levels of lists or quotes. Flatten it and call again.`,
      );
    }
    return parent.children.flatMap((child) => this.block(child, depth));
  }

  private block(node: Node, depth: number): Node[] {
    if (node.type === 'definition' || node.type === 'footnoteDefinition') return [];
    if (node.type === 'html') return [paragraph(lines((node as Text).value))];
    if (node.type === 'listItem') return [this.listItem(node as ListItem, depth)];
    if (node.type === 'paragraph' || node.type === 'heading' || node.type === 'tableCell') {
      return [{ ...node, children: this.phrases(node as Parent) } as Node];
    }
    if ('children' in node) return [{ ...node, children: this.blocks(node as Parent, depth + 1) } as Node];
    return [node];
  }

  private listItem(item: ListItem, depth: number): Node {
    const children = this.blocks(item, depth + 1) as ListItem['children'];
    if (typeof item.checked === 'boolean') {
      const mark = text(item.checked ? '☒ ' : '☐ ');
      const first = children[0];
      if (first?.type === 'paragraph') children[0] = { ...first, children: [mark, ...first.children] };
      else children.unshift(paragraph([mark]));
    }
    return { ...item, children } as Node;
  }

  private phrases(parent: Parent): PhrasingContent[] {
    return (parent.children as PhrasingContent[]).flatMap((child) => this.phrase(child));
  }

  private phrase(node: PhrasingContent): PhrasingContent[] {
    switch (node.type) {
      case 'html':
        return [text(node.value)];
      case 'image':
        return this.image(node.alt);
      case 'imageReference':
        return this.image(node.alt);
      case 'footnoteReference':
        return [text(`[${this.numberOf(node.identifier)}]`)];
      case 'link':
        return this.link(node.url, this.phrases(node));
      case 'linkReference':
        return this.link(this.definitions.get(node.identifier)?.url ?? '', this.phrases(node));
      default:
        return 'children' in node ? [{ ...node, children: this.phrases(node) } as PhrasingContent] : [node];
    }
  }

  private image(alt: string | null | undefined): PhrasingContent[] {
    this.counts.images += 1;
    return [{ type: 'emphasis', children: [text(`[Image: ${alt || 'no description'}]`)] }];
  }

  /** Links that lead out of the file; anchors, paths and script addresses keep their words alone. */
  private link(url: string, children: PhrasingContent[]): PhrasingContent[] {
    if (/^(https?:\/\/|mailto:)\S+$/i.test(url) && URL.canParse(url)) return [{ type: 'link', url, children } as PhrasingContent];
    this.counts.links.push(url);
    return children;
  }

  private numberOf(name: string): number {
    const known = this.numbers.get(name);
    if (known) return known;
    this.numbers.set(name, this.numbers.size + 1);
    return this.numbers.size;
  }

  /** Notes stand at the end, in the order of their first mention. A note may mention another one. */
  footnotes(): RootContent[] {
    const blocks: RootContent[] = [];
    const all = new Set([...this.numbers.keys(), ...this.notesByName.keys()]);
    for (const name of all) {
      const mark = text(`[${this.numberOf(name)}] `);
      const note = this.notesByName.get(name);
      const children = note ? (this.blocks(note, 1) as RootContent[]) : [];
      for (const later of this.numbers.keys()) all.add(later);
      const first = children[0];
      if (first?.type === 'paragraph') children[0] = { ...first, children: [mark, ...first.children] };
      else children.unshift(paragraph([mark]));
      blocks.push(...children);
    }
    return blocks.length > 0 ? [{ type: 'thematicBreak' }, ...blocks] : [];
  }

  toldNotes(): string[] {
    const { images, links } = this.counts;
    if (images > 0) this.notes.add(`${images} image(s) are not embedded; their descriptions stand in the text.`);
    if (links.length > 0) {
      const some = [...new Set(links)].slice(0, 3).map((url) => `"${url.slice(0, 80)}"`);
      this.notes.add(`${links.length} link(s) are no web or mail addresses (${some.join(', ')}) and became plain text.`);
    }
    return [...this.notes];
  }
}

/** A title is given beside the Markdown; a first heading with the same words would print it twice. */
function dropRepeatedTitle(children: RootContent[], title: string, notes: Set<string>): RootContent[] {
  const first = children[0];
  if (first?.type !== 'heading' || toString(first).trim() !== title.trim()) return children;
  notes.add('The first heading repeats the title and was left out.');
  return children.slice(1);
}

const text = (value: string): Text => ({ type: 'text', value });
const paragraph = (children: PhrasingContent[]): Paragraph => ({ type: 'paragraph', children });

const lines = (value: string): PhrasingContent[] =>
  value.split('\n').flatMap((line, index) => (index === 0 ? [text(line)] : [{ type: 'break' as const }, text(line)]));

function visit(tree: Node, see: (node: Node) => void): void {
  const open: Node[] = [tree];
  for (let node = open.pop(); node; node = open.pop()) {
    see(node);
    if ('children' in node) for (const child of (node as Parent).children) open.push(child);
  }
}
