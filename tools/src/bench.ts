import { parseArgs } from 'node:util';
import { benchEvents } from './bench/events.js';
import { benchGating } from './bench/gating.js';
import { benchRetrieval } from './bench/retrieval.js';

const usage = `bin/bench NAME [--seconds N] [--json]

Measures Skillgate against the bare thing in one run, so that the ratio holds on any machine.

  events     events that outbox and relay bring to the broker a second, against bare 50-row inserts; deltas relayed a second,
             against bare core NATS
  retrieval  building and asking the search index of 55, 1,000 and 10,000 generated skills with bodies, against MiniSearch
  gating     deciding a catalog of 10,000 skills for one of 100,000 accounts, warm and cold, against the plain resolver; rendering
             catalogs of 55, 500 and 10,000 skills

  --seconds N  seconds for each measured part (6)
  --json       one JSON object as the last line`;

/** Each takes seconds a part and answers with the object that --json prints. */
const benches: Record<string, (seconds: number, tell: (line: string) => void) => Promise<object>> = { events: benchEvents, retrieval: benchRetrieval, gating: benchGating };

function readArguments() {
  try {
    const { values, positionals } = parseArgs({
      options: { seconds: { type: 'string', default: '6' }, json: { type: 'boolean', default: false }, help: { type: 'boolean', short: 'h', default: false } },
      allowPositionals: true,
    });
    if (values.help) {
      console.log(usage);
      process.exit(0);
    }
    const bench = benches[positionals[0] ?? ''];
    if (!bench || positionals.length > 1) throw new Error(`name one of: ${Object.keys(benches).join(', ')}`);
    const seconds = Number(values.seconds);
    if (!(seconds >= 1 && seconds <= 600)) throw new Error('--seconds takes a number from 1 to 600');
    return { bench, seconds, json: values.json };
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${usage}`);
    return process.exit(64); // EX_USAGE
  }
}

const { bench, seconds, json } = readArguments();
const result = await bench(seconds, (line) => console.error(line));
console.log(json ? JSON.stringify(result) : JSON.stringify(result, null, 2));
