import { artifactRef } from '@skillgate/contracts/tool-call';
import { refuse } from '@skillgate/contracts/refusal';
import { defineTool } from '@skillgate/executor-kit/define-tool';
import { z } from 'zod';
import { cleanText } from './clean-text.js';
import { checkFileName } from './file-name.js';

const mimes: Record<string, string> = {
  md: 'text/markdown; charset=utf-8',
  txt: 'text/plain; charset=utf-8',
  csv: 'text/csv; charset=utf-8',
  html: 'text/html; charset=utf-8',
  json: 'application/json',
};

export const writeText = defineTool({
  name: 'docs_write_text',
  profile: 'docs',
  effect: 'write',
  description:
    'Stores text as a new file that the user can download: Markdown (.md), plain text (.txt), CSV (.csv), HTML (.html) or JSON (.json). ' +
    'The extension of file_name decides the format. Use it when the user asks for such a file; give the whole content at once. ' +
    'JSON is checked before it is stored. Not for Word documents (use docs_generate_docx), ' +
    'and not for answers that the user only wants to read in the chat.',
  input: z.strictObject({
    file_name: z.string().min(1).max(200).describe('Name of the new file with .md, .txt, .csv, .html or .json. No folders.'),
    content: z.string().max(230_000).describe('The complete content of the file.'),
  }),
  output: z.object({ artifact: artifactRef, notes: z.array(z.string()) }),
  timeoutMs: 30_000,
  async execute({ file_name, content }, { artifacts }) {
    if (!/\.[A-Za-z0-9]{1,5}$/.test(file_name.trim())) {
      throw refuse('bad-file-name', '"file_name" has no extension. End it with .md, .txt, .csv, .html or .json, which decides the format.');
    }
    const { name, extension } = checkFileName(file_name, Object.keys(mimes));
    if (content.trim() === '')
      throw refuse('empty-content', '"content" has no text. Write the complete content of the file into it and call again.');
    const { text, notes } = cleanText(content);
    if (extension === 'json') checkJson(text);
    const artifact = await artifacts.write({ name, mime: mimes[extension] ?? '', bytes: Buffer.from(text, 'utf8') });
    return { artifact, notes };
  },
});

function checkJson(text: string): void {
  try {
    JSON.parse(text);
  } catch (error) {
    throw refuse(
      'invalid-json',
      `"content" is not valid JSON: ${placeOf(error as Error, text)}. Correct it and call again with the whole content.`,
    );
  }
}

/** Line and column in place of the parser's words, which quote the content. */
function placeOf(error: Error, text: string): string {
  const at = Number(/position (\d+)/.exec(error.message)?.[1] ?? (/end of JSON/i.test(error.message) ? text.length : NaN));
  if (Number.isNaN(at)) return 'it does not parse';
  const before = text.slice(0, at).split('\n');
  return at >= text.length
    ? 'it ends too early'
    : `something is wrong at line ${before.length}, column ${(before.at(-1) ?? '').length + 1}`;
}
