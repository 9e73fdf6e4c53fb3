import { defineExecutor } from '@skillgate/executor-kit/define-executor';
import { generateDocx } from './generate-docx.js';
import { readDocx } from './read-docx.js';
import { readText } from './read-text.js';
import { writeText } from './write-text.js';

/** Documents: no outside system, no credentials. Few calls at once, since making and reading Word files is CPU work. */
export const docsExecutor = defineExecutor({
  name: 'docs',
  version: '0.1.0',
  tools: [generateDocx, readDocx, readText, writeText],
  concurrency: 4,
});
