import { describe, expect, it } from '@jest/globals';
import JSZip from 'jszip';
import { findDocxFault } from './check-docx.js';
import { parseMarkdown } from './parse-markdown.js';
import { writeDocx } from './write-docx.js';

const good = () => writeDocx({ title: 'Memo', body: parseMarkdown('One line.') });

/** A Word file with one part changed, as a faulty writer would have made it. */
async function damaged(path: string, change: (xml: string) => string | null): Promise<Uint8Array> {
  const zip = await JSZip.loadAsync(await good());
  const xml = change(await zip.file(path)!.async('string'));
  if (xml === null) zip.remove(path);
  else zip.file(path, xml);
  return zip.generateAsync({ type: 'uint8array' });
}

describe('the check of a new Word file', () => {
  it('finds nothing in a good one', async () => {
    expect(await findDocxFault(await good(), ['Memo', 'One line.'])).toBeUndefined();
  });

  it.each<[string, string, (xml: string) => string | null, string]>([
    ['a form feed', 'word/document.xml', (xml) => xml.replace('One', '\fOne'), 'word/document.xml is not well-formed'],
    ['an open element', 'word/styles.xml', (xml) => xml.replace('</w:styles>', ''), 'word/styles.xml is not well-formed'],
    ['a bare ampersand', 'docProps/core.xml', (xml) => xml.replace('Memo', 'A & B'), 'docProps/core.xml is not well-formed'],
    ['lost text', 'word/document.xml', (xml) => xml.replace('line.', ''), 'the text differs near'],
    ['a lost part', 'word/styles.xml', () => null, 'word/styles.xml is missing'],
  ])('finds %s', async (_what, path, change, fault) => {
    expect(await findDocxFault(await damaged(path, change), ['Memo', 'One line.'])).toContain(fault);
  });
});
