import { AlignmentType, Document, Footer, HeadingLevel, Packer, PageNumber, Paragraph, TextRun } from 'docx';
import type { Root } from 'mdast';
import { paragraphDirection } from './bidi.js';
import { BlockWriter } from './docx-blocks.js';
import { textRuns } from './docx-runs.js';
import { page, styles } from './docx-styles.js';

export interface DocxContent {
  title: string;
  subtitle?: string;
  /** Prepared. */
  body: Root;
}

/** The bytes of a Word file: A4, title, body, page numbers. */
export async function writeDocx({ title, subtitle, body }: DocxContent): Promise<Uint8Array> {
  const writer = new BlockWriter();
  const blocks = writer.write(body.children);
  const head = [new Paragraph({ heading: HeadingLevel.TITLE, ...paragraphDirection(title), children: textRuns(title) })];
  if (subtitle) head.push(new Paragraph({ style: 'Subtitle', ...paragraphDirection(subtitle), children: textRuns(subtitle) }));
  const { width, height, margin } = page;
  const document = new Document({
    title,
    subject: subtitle,
    creator: 'Skillgate',
    lastModifiedBy: 'Skillgate',
    styles,
    numbering: writer.numbering(),
    sections: [
      {
        properties: { page: { size: { width, height }, margin: { top: margin, bottom: margin, left: margin, right: margin } } },
        footers: { default: new Footer({ children: [pageNumbers()] }) },
        children: [...head, ...blocks],
      },
    ],
  });
  return Packer.toBuffer(document);
}

const pageNumbers = () =>
  new Paragraph({
    alignment: AlignmentType.CENTER,
    children: [new TextRun({ size: 17, color: '6B7280', children: [PageNumber.CURRENT, ' / ', PageNumber.TOTAL_PAGES] })],
  });
