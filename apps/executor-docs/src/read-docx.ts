import { artifactId } from '@skillgate/contracts/words';
import { refuse } from '@skillgate/contracts/refusal';
import { defineTool } from '@skillgate/executor-kit/define-tool';
import mammoth from 'mammoth';
import { z } from 'zod';
import { isZip, knownBinary, zipKind } from './file-kind.js';
import { htmlToMarkdown } from './html-to-markdown.js';
import { openZip, unpackXml } from './open-zip.js';
import { pageOf, pagingInput, pagingOutput } from './page-text.js';

export const readDocx = defineTool({
  name: 'docs_read_docx',
  profile: 'docs',
  effect: 'read',
  description:
    'Reads a Word document (.docx) page by page as Markdown: headings, paragraphs, lists, tables, quotes, links and footnotes. ' +
    'Use it before you summarise, review or rewrite a Word file that the user uploaded or that was made here; ' +
    'read on with next_offset until it is null. ' +
    'Images show as [Image], and comments, headers and footers are left out. ' +
    'Not for text, Markdown, CSV, HTML or JSON files (use docs_read_text), and not for old .doc files or PDF.',
  input: z.strictObject({
    artifact: artifactId.describe('Id of the Word file, such as "art_0123…" (art_ and 32 hexadecimal digits).'),
    ...pagingInput,
  }),
  output: z.object({ name: z.string(), ...pagingOutput, notes: z.array(z.string()) }),
  timeoutMs: 45_000,
  async execute({ artifact, offset, limit }, { artifacts }) {
    const { name, bytes } = await artifacts.read(artifact);
    const parts = await openDocx(bytes, name);
    const text = await markdownOf(bytes, name);
    const notes = text === '' ? ['The document has no text.'] : [];
    if (parts.has('word/comments.xml')) notes.push('The document has comments, which are not shown.');
    if (/<w:(ins|del) /.test(parts.get('word/document.xml') ?? ''))
      notes.push('The document has tracked changes: insertions are shown, deletions are not.');
    return { name, ...pageOf(text, offset, limit), notes };
  },
});

/** @throws the refusals `not-a-docx`, `damaged-file` and `file-too-large` */
async function openDocx(bytes: Uint8Array, name: string): Promise<Map<string, string>> {
  const not = (what: string, advice: string) => refuse('not-a-docx', `"${name}" is ${what}, not a Word document (.docx). ${advice}`);
  if (!isZip(bytes)) {
    const kind = knownBinary(bytes);
    if (kind) throw not(kind.name, kind.advice);
    throw bytes.includes(0)
      ? not('no file that is known here', 'Ask the user for a Word (.docx) or text file.')
      : not('a text file', 'Read it with docs_read_text.');
  }
  const zip = await openZip(bytes, name);
  if (!zip.file('word/document.xml')) {
    const kind = zipKind(Object.keys(zip.files));
    throw not(kind.name, kind.advice);
  }
  const parts = await unpackXml(zip, name);
  for (const [path, xml] of parts) {
    if (/<!(DOCTYPE|ENTITY)/i.test(xml))
      throw refuse('damaged-file', `"${name}" declares XML entities in ${path}, which no Word file does. It was not opened.`);
  }
  return parts;
}

/** Styles of Word, in several names, that mammoth does not know by itself. */
const styleMap = [
  "p[style-name='Title'] => h1:fresh",
  "p[style-name='Subtitle'] => p:fresh",
  "p[style-name='Quote'] => blockquote > p:fresh",
  "p[style-name='Intense Quote'] => blockquote > p:fresh",
  "p[style-name='Code Block'] => pre:separator('\n')",
  "p[style-name='HTML Preformatted'] => pre:separator('\n')",
  "r[style-name='Code Text'] => code",
];

async function markdownOf(bytes: Uint8Array, name: string): Promise<string> {
  const convertImage = mammoth.images.imgElement(async () => ({ src: '' })); // an image is named, never unpacked
  try {
    const { value } = await mammoth.convertToHtml({ buffer: Buffer.from(bytes) }, { styleMap, convertImage });
    return htmlToMarkdown(value);
  } catch {
    throw refuse(
      'damaged-file',
      `"${name}" is damaged: its text cannot be read. Ask the user to open it in Word, save it again and upload that.`,
    );
  }
}
