import { describe, expect, it } from '@jest/globals';
import { attachmentsIn, withoutAttachments } from './attachments.js';

const a = `art_${'a'.repeat(32)}`;
const b = `art_${'b'.repeat(32)}`;

describe('files in a user message', () => {
  it.each([
    [`- plan (final) v2.md (text/markdown, 812 bytes), artifact_id: ${a}`, 'plan (final) v2.md', 'text/markdown'],
    [`- notes (text/plain, 812 bytes), artifact_id: ${a}`, 'notes', 'text/plain'],
    [`File: "my plan.docx" ${a}`, 'my plan.docx', ''],
    [`<file name="q &amp; a.csv" mime="text/csv" id="${a}"/>`, 'q & a.csv', 'text/csv'],
    [`{"id":"${a}","name":"x.json","mime":"application/json"}`, 'x.json', 'application/json'],
    [`attached ${a}`, '', ''],
  ])('%s', (line, name, mime) => expect(attachmentsIn(`Look\n${line}`)).toEqual([{ id: a, name, mime }]));

  it('are all found, each once', () => {
    expect(
      attachmentsIn(`- a.md (text/markdown, 1 bytes), artifact_id: ${a}\n- b.md (text/markdown, 1 bytes), artifact_id: ${b}\n${a}`).map(
        (file) => file.name,
      ),
    ).toEqual(['a.md', 'b.md']);
  });

  it('leave the request alone when they are taken out', () => {
    expect(withoutAttachments(`Read this: now.\n\n[Attached files]\n- a.md (text/markdown, 1 bytes), artifact_id: ${a}`)).toBe(
      'Read this: now.',
    );
  });
});
