import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { printManifest } from '@skillgate/executor-kit/manifest';
import { webExecutor } from './web-executor.js';

const committed = readFileSync(new URL('../manifest.json', import.meta.url), 'utf8');

describe('manifest.json, which operators approve', () => {
  it('is what the code announces; print it anew after a change and have it approved', () => {
    expect(printManifest(webExecutor)).toBe(committed);
  });
});
