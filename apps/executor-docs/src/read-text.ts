import { artifactId } from '@skillgate/contracts/words';
import { refuse } from '@skillgate/contracts/refusal';
import { defineTool } from '@skillgate/executor-kit/define-tool';
import { z } from 'zod';
import { decodeText, encodings } from './decode-text.js';
import { describeCsv } from './describe-csv.js';
import { isZip, knownBinary, zipKind } from './file-kind.js';
import { openZip } from './open-zip.js';
import { pageOf, pagingInput, pagingOutput } from './page-text.js';

export const readText = defineTool({
  name: 'docs_read_text',
  profile: 'docs',
  effect: 'read',
  description:
    'Reads a text file of the user page by page: Markdown (.md), plain text (.txt), CSV, TSV, HTML, JSON, logs, YAML, XML or code. ' +
    'Use it before you summarise, check or convert such a file; read on with next_offset until it is null. ' +
    'For CSV it also returns the column names and the number of rows. ' +
    'Not for Word files (use docs_read_docx), PDF, spreadsheets or images.',
  input: z.strictObject({
    artifact: artifactId.describe('Id of the file, such as "art_0123…" (art_ and 32 hexadecimal digits).'),
    ...pagingInput,
    encoding: z.enum(encodings).optional().describe('Only when the user names the encoding of a file that is not Unicode.'),
  }),
  output: z.object({
    name: z.string(),
    encoding: z.string(),
    ...pagingOutput,
    csv: z.object({ columns: z.array(z.string()), rows: z.number().int(), delimiter: z.string() }).optional(),
    notes: z.array(z.string()),
  }),
  timeoutMs: 30_000,
  async execute({ artifact, offset, limit, encoding: asked }, { artifacts }) {
    const { name, mime, bytes } = await artifacts.read(artifact);
    await refuseBinary(bytes, name);
    const { text, encoding } = decodeText(bytes, name, asked);
    const page = { name, encoding, ...pageOf(text, offset, limit) };
    const notes = text.trim() === '' ? ['The file is empty.'] : [];
    const kind = tableKind(name, mime);
    if (!kind || text.trim() === '') return { ...page, notes };
    const { notes: csvNotes, ...csv } = describeCsv(text, kind === 'tsv');
    return { ...page, csv, notes: csvNotes };
  },
});

async function refuseBinary(bytes: Uint8Array, name: string): Promise<void> {
  const kind = isZip(bytes) ? zipKind(Object.keys((await openZip(bytes, name)).files)) : knownBinary(bytes);
  if (kind) throw refuse('binary-file', `"${name}" is ${kind.name}, not text. ${kind.advice}`);
}

function tableKind(name: string, mime: string): 'csv' | 'tsv' | undefined {
  if (/\.(tsv|tab)$/i.test(name) || mime.startsWith('text/tab-separated-values')) return 'tsv';
  return /\.csv$/i.test(name) || mime.startsWith('text/csv') ? 'csv' : undefined;
}
