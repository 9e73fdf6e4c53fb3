// Loaded into every Node process of a run of all tests (see bin/test): keeps each log line and each span, for the search in the end.
import { subscribe } from 'node:diagnostics_channel';
import { openSync, writeSync } from 'node:fs';
import { join } from 'node:path';

const folder = process.env.SKILLGATE_SUITE_WORDS;

/** Written at once: a process that a test kills says nothing more. */
const keep = (kind) => {
  let file;
  return (text) => void writeSync((file ??= openSync(join(folder, `${kind}-${process.pid}.jsonl`), 'a')), text);
};

if (folder) {
  const [lines, spans] = [keep('lines'), keep('spans')];
  subscribe('skillgate.log-line', lines);
  subscribe('skillgate.span', (span) => spans(`${JSON.stringify(span)}\n`));
}
