import { artifactRef } from '@skillgate/contracts/tool-call';
import { refuse } from '@skillgate/contracts/refusal';
import { defineTool } from '@skillgate/executor-kit/define-tool';
import { z } from 'zod';
import { findDocxFault } from './check-docx.js';
import { cleanText } from './clean-text.js';
import { checkFileName } from './file-name.js';
import { parseMarkdown } from './parse-markdown.js';
import { countWords, headingsOf, paragraphsOf } from './plain-text.js';
import { prepareTree } from './prepare-tree.js';
import { writeDocx } from './write-docx.js';

export const docxMime = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';

/** Headings told back: enough to check an outline, few enough for a model's context. */
const toldHeadings = 60;

const formula = /\$[^$\n]*\\[a-zA-Z]+[^$\n]*\$/; // a LaTeX command between dollar signs

export const generateDocx = defineTool({
  name: 'docs_generate_docx',
  profile: 'docs',
  effect: 'write',
  description:
    'Makes a Word document (.docx) from Markdown and stores it as a file that the user can download. ' +
    'Use it whenever the user wants a Word file, or a memo, report, letter or briefing to edit or print. ' +
    'Give the whole finished text at once: headings, paragraphs, bold, italics, links, nested lists, task lists, tables, quotes and code ' +
    'become real Word formatting; footnotes stand at the end. Images are not embedded and formulas stay as text. ' +
    'Not for changing an existing document, and not for plain text, Markdown or CSV files (use docs_write_text). ' +
    'The file is reopened and checked before it is returned; read "notes" in the result and tell the user what matters.',
  input: z.strictObject({
    file_name: z.string().min(1).max(200).describe('Name of the new file, such as "Q3 briefing.docx". No folders.'),
    title: z.string().min(1).max(300).describe('Title on the first page and in the document properties. Do not repeat it as a heading.'),
    subtitle: z.string().max(300).optional().describe('Line under the title, such as a date or an audience.'),
    markdown: z.string().max(230_000).describe('The complete body in Markdown (CommonMark with GitHub tables). HTML is shown as text.'),
  }),
  output: z.object({
    artifact: artifactRef,
    words: z.number().int(),
    headings: z.array(z.object({ level: z.number().int(), text: z.string() })),
    notes: z.array(z.string()),
  }),
  timeoutMs: 45_000,
  async execute({ file_name, title, subtitle, markdown }, { artifacts, progress, signal }) {
    const { name } = checkFileName(file_name, ['docx']);
    const cleaned = { title: cleanText(title), subtitle: cleanText(subtitle ?? ''), body: cleanText(markdown) };
    const content = { title: cleaned.title.text.trim(), subtitle: cleaned.subtitle.text.trim() || undefined };
    const { root, notes } = prepareTree(parseMarkdown(cleaned.body.text), content.title);
    const body = paragraphsOf(root);
    if (content.title === '')
      throw refuse('empty-title', 'The title has no visible text. Give the title that should stand on the first page.');
    if (body.join('').trim() === '') {
      throw refuse('empty-document', 'The Markdown has no text. Write the complete body of the document into "markdown" and call again.');
    }
    if (formula.test(cleaned.body.text))
      notes.push('Formulas between $ signs stay as they are written; Word does not show them as mathematics.');

    progress('Writing the Word file', 0.3);
    const bytes = await writeDocx({ ...content, body: root });
    signal.throwIfAborted();

    progress('Checking the Word file', 0.6);
    const intended = [content.title, content.subtitle ?? '', ...body];
    const fault = await findDocxFault(bytes, intended);
    if (fault)
      throw refuse(
        'document-check-failed',
        `The Word file did not pass its check (${fault}). Nothing was stored. Simplify the Markdown there and call again.`,
      );
    signal.throwIfAborted();

    const artifact = await artifacts.write({ name, mime: docxMime, bytes });
    const headings = headingsOf(root);
    if (headings.length > toldHeadings)
      notes.push(`Only the first ${toldHeadings} of ${headings.length} headings are listed here; the file has them all.`);
    const cleaning = [cleaned.title, cleaned.subtitle, cleaned.body].flatMap((part) => part.notes);
    return {
      artifact,
      words: countWords(intended.join('\n')),
      headings: headings.slice(0, toldHeadings),
      notes: [...new Set([...cleaning, ...notes])],
    };
  },
});
