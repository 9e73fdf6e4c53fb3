import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { contextDocument } from './measure/context-document.js';
import { measureContext } from './measure/context.js';

const usage = `bin/measure context [--json] [--write]

What gating saves in tokens of the context, read from the skills and executors of this tree: catalog against all instructions,
base tools against all tools, first model call and typical flows against a prompt that holds everything, and how the catalog grows.

  --json   one JSON object
  --write  renews docs/context-economy.md`;

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
    if (positionals.join(' ') !== 'context') throw new Error('name what to measure: context');
    return values;
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${usage}`);
    return process.exit(64); // EX_USAGE
  }
}

const { json, write } = readArguments();
const root = join(import.meta.dirname, '../..');
const economy = measureContext(root);
if (write) writeFileSync(join(root, 'docs/context-economy.md'), contextDocument(economy));
console.log(json ? JSON.stringify(economy) : contextDocument(economy));
