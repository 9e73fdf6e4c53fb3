import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { printManifest } from '@skillgate/executor-kit/manifest';
import { docsExecutor } from './docs-executor.js';

const committed = readFileSync(new URL('../manifest.json', import.meta.url), 'utf8');

describe('manifest.json, which operators approve', () => {
  it('is what the code announces; print it anew after a change and have it approved', () => {
    expect(printManifest(docsExecutor)).toBe(committed);
  });

  it('tells a model what each tool is for, what not, and which files', () => {
    for (const { manifest } of docsExecutor.tools.values()) {
      expect(manifest.description).toMatch(/\bNot for\b|\bnot for\b/);
      expect(manifest.description).toMatch(/\.docx|Markdown/);
    }
  });

  it('describes every argument', () => {
    for (const { manifest } of docsExecutor.tools.values()) {
      for (const field of Object.values(manifest.inputSchema.properties as Record<string, { description?: string }>))
        expect(field.description).toBeTruthy();
    }
  });
});
