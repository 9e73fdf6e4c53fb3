import { existsSync, statSync } from 'node:fs';
import { extname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

const usage = `bin/demo [--file PATH] [--json] ["request"]
bin/demo --tour

Starts the whole house, sends one request through the public HTTP API and shows what happened: the steps, the route,
the file that was made, the token ledger and the trace.

  --file PATH  your own text, Markdown or CSV file (default: docs/house.md)
  --tour       five things that a gate does, each in a few lines
  --json       progress on standard error, and one JSON object as the last line of standard output`;

const mimes: Record<string, string> = {
  '.md': 'text/markdown',
  '.markdown': 'text/markdown',
  '.txt': 'text/plain',
  '.csv': 'text/csv',
  '.html': 'text/html',
  '.json': 'application/json',
  '.docx': 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
};

export interface DemoArguments {
  file: string;
  mime: string;
  request: string;
  json: boolean;
  tour: boolean;
}

/** Ends the process with a hint when the words of the call are off. */
export function demoArguments(root: string): DemoArguments {
  try {
    const { values, positionals } = parseArgs({
      options: { file: { type: 'string' }, json: { type: 'boolean', default: false }, tour: { type: 'boolean', default: false }, help: { type: 'boolean', short: 'h', default: false } },
      allowPositionals: true,
    });
    if (values.help) {
      console.log(usage);
      process.exit(0);
    }
    if (positionals.length > 1) throw new Error('put the request in quotes: it is one argument');
    const file = values.file === undefined ? join(root, 'docs/house.md') : resolve(process.env.SKILLGATE_CALLED_FROM ?? process.cwd(), values.file);
    if (!existsSync(file)) throw new Error(`there is no file ${file}`);
    if (!statSync(file).isFile()) throw new Error(`${file} is not a file`);
    const mime = mimes[extname(file).toLowerCase()];
    if (!mime) throw new Error(`${file}: the demo takes ${Object.keys(mimes).join(', ')}`);
    return { file, mime, request: positionals[0] ?? 'Turn this document into a one-page briefing as a Word file.', json: values.json, tour: values.tour };
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${usage}`);
    return process.exit(64); // EX_USAGE
  }
}
