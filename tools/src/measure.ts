import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { cacheDocument } from './measure/cache-document.js';
import { measureCache } from './measure/cache.js';
import { contextDocument } from './measure/context-document.js';
import { measureContext } from './measure/context.js';

const usage = `bin/measure NAME [--json] [--write]

Reads what Skillgate saves from what it really sends.

  context  tokens of the context, from the skills and executors of this tree: catalog against all instructions, base tools against all
           tools, first model call and typical flows against a prompt that holds everything, and how the catalog grows
  cache    the share of input tokens that a provider's prefix cache could reuse, by exposure plan, from the exact bytes that a real
           house sends: a cold turn of three calls, and ten turns with three activations; starts a house, takes about 20 s

  --json   one JSON object
  --write  renews docs/context-economy.md, or docs/prompt-cache.md`;

const root = join(import.meta.dirname, '../..');

interface Measured {
  result: object;
  document: string;
  file: string;
}

const measures: Record<string, () => Measured | Promise<Measured>> = {
  context() {
    const result = measureContext(root);
    return { result, document: contextDocument(result), file: 'docs/context-economy.md' };
  },
  async cache() {
    const result = await measureCache();
    return { result, document: cacheDocument(result), file: 'docs/prompt-cache.md' };
  },
};

function readArguments() {
  try {
    const { values, positionals } = parseArgs({
      options: { json: { type: 'boolean', default: false }, write: { type: 'boolean', default: false }, help: { type: 'boolean', short: 'h', default: false } },
      allowPositionals: true,
    });
    if (values.help) {
      console.log(usage);
      process.exit(0);
    }
    const measure = measures[positionals[0] ?? ''];
    if (!measure || positionals.length > 1) throw new Error(`name what to measure: ${Object.keys(measures).join(' or ')}`);
    return { ...values, measure };
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${usage}`);
    return process.exit(64); // EX_USAGE
  }
}

const { json, write, measure } = readArguments();
const { result, document, file } = await measure();
if (write) writeFileSync(join(root, file), document);
console.log(json ? JSON.stringify(result) : document);
