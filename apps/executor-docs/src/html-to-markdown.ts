import { SaxesParser } from 'saxes';

/**
 * Markdown of the small, well-formed HTML that mammoth makes: headings, paragraphs, lists, tables, quotes, code,
 * emphasis, links and line breaks. Unknown elements give their text. Nothing is escaped except `|` in tables, since a
 * model reads it and no program parses it.
 */
export function htmlToMarkdown(html: string): string {
  const writer = new MarkdownWriter();
  const parser = new SaxesParser({ fragment: true });
  parser.on('opentag', ({ name, attributes }) => writer.open(name, attributes as Record<string, string>));
  parser.on('text', (text) => writer.text(text));
  parser.on('closetag', ({ name }) => writer.close(name));
  parser.write(html).close();
  return writer.finish();
}

const inlineMarks: Record<string, string> = { strong: '**', b: '**', em: '*', i: '*', s: '~~', code: '`' };

class MarkdownWriter {
  private readonly blocks: string[] = [];
  private line = '';
  private readonly lists: { ordered: boolean; item: number }[] = [];
  /** Marks of the item that the next line begins. */
  private mark = '';
  private quotes = 0;
  private cells: string[] | undefined;
  private rows = 0;
  private readonly links: string[] = [];
  private verbatim = false;

  open(name: string, attributes: Record<string, string>): void {
    if (/^h[1-6]$/.test(name)) this.line = `${'#'.repeat(Number(name[1]))} `;
    else if (name === 'ul' || name === 'ol') this.openList(name === 'ol');
    else if (name === 'li') this.openItem();
    else if (name === 'blockquote') this.quotes += 1;
    else if (name === 'table') this.rows = 0;
    else if (name === 'tr') this.cells = [];
    else if (name === 'td' || name === 'th') this.line = '';
    else if (name === 'pre') this.verbatim = true;
    else if (name === 'br') this.line += this.cells ? ' ' : '\n';
    else if (name === 'a') this.openLink(attributes.href ?? '');
    else if (name === 'img') this.line += `[Image${attributes.alt ? `: ${attributes.alt}` : ''}]`;
    else this.line += inlineMarks[name] ?? '';
  }

  text(text: string): void {
    this.line += this.cells ? text.replaceAll('|', '\\|') : text;
  }

  close(name: string): void {
    if (/^(p|h[1-6]|pre)$/.test(name)) this.endBlock(name === 'pre');
    else if (name === 'li') this.endItem();
    else if (name === 'ul' || name === 'ol') this.closeList();
    else if (name === 'blockquote') this.quotes -= 1;
    else if (name === 'td' || name === 'th') this.endCell();
    else if (name === 'tr') this.endRow();
    else if (name === 'a') this.closeLink();
    else this.line += inlineMarks[name] ?? '';
  }

  finish(): string {
    this.endBlock(false);
    return this.blocks.join('').trim();
  }

  private openList(ordered: boolean): void {
    if (this.line.trim() !== '') this.push(this.line); // the item's own text stands before its inner list
    this.lists.push({ ordered, item: 0 });
  }

  private closeList(): void {
    this.lists.pop();
    if (this.lists.length === 0) this.blocks.push('\n');
  }

  private openItem(): void {
    const list = this.lists.at(-1);
    if (!list) return;
    list.item += 1;
    this.mark = list.ordered ? `${list.item}. ` : '- ';
  }

  private endItem(): void {
    if (this.line.trim() !== '') this.push(this.line);
  }

  private endBlock(isCode: boolean): void {
    if (this.cells) {
      this.line += ' '; // paragraphs of one cell share its line
      return;
    }
    this.verbatim = false;
    if (this.line.trim() === '') this.line = '';
    else if (isCode) this.push(`\`\`\`\n${this.line}\n\`\`\``, '\n');
    else this.push(this.line, this.lists.length > 0 ? '' : '\n');
  }

  private push(text: string, gap = ''): void {
    const indent = '   '.repeat(Math.max(0, this.lists.length - 1));
    const quote = '> '.repeat(this.quotes);
    const hang = this.mark ? ' '.repeat(this.mark.length) : this.lists.length > 0 ? '   ' : '';
    const lines = (this.verbatim ? text : text.trim()).split('\n');
    this.blocks.push(lines.map((each, index) => `${quote}${indent}${index === 0 && this.mark ? this.mark : hang}${each}\n`).join('') + gap);
    this.mark = '';
    this.line = '';
  }

  private endCell(): void {
    this.cells?.push(this.line.replace(/\s+/g, ' ').trim());
    this.line = '';
  }

  private endRow(): void {
    const cells = this.cells ?? [];
    this.cells = undefined;
    this.rows += 1;
    this.blocks.push(`| ${cells.join(' | ')} |\n`);
    if (this.rows === 1) this.blocks.push(`|${' --- |'.repeat(cells.length)}\n`);
  }

  /** Anchors inside the file, which Word makes for its own use, give their text alone. */
  private openLink(href: string): void {
    const url = /^(https?|mailto):/i.test(href) ? href : '';
    this.links.push(url);
    if (url) this.line += '[';
  }

  private closeLink(): void {
    const url = this.links.pop();
    if (url) this.line += `](${url})`;
  }
}
