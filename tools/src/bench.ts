import { parseArgs } from 'node:util';
import { benchCrash } from './bench/crash.js';
import { benchEvents } from './bench/events.js';
import { benchGating } from './bench/gating.js';
import { benchRetrieval } from './bench/retrieval.js';
import { benchTurn } from './bench/turn.js';

const usage = `bin/bench NAME [--seconds N | --turns N] [--json]

Measures Skillgate: against the bare thing in one run, so that the ratio holds on any machine, or against what must not happen.

  events     events that outbox and relay bring to the broker a second, against bare 50-row inserts; deltas relayed a second,
             against bare core NATS
  crash      turns that were lost and effects that were doubled while orchestrators are killed every two seconds and NATS and
             PostgreSQL are restarted; must be 0, with 99% of the turns finished and taken over within lease and 2 s
  turn       the gated turn over a house of processes at 1, 16 and 64 in flight, against a bare chain of the same hops and commits and the
             loop of the ai SDK, with processor time, memory and what tracing costs; 12 times N seconds in all
  retrieval  building and asking the search index of 55, 1,000 and 10,000 generated skills with bodies, against MiniSearch
  gating     deciding a catalog of 10,000 skills for one of 100,000 accounts, warm and cold, against the plain resolver; rendering
             catalogs of 55, 500 and 10,000 skills

  --seconds N  seconds for each measured part (6); not for crash
  --turns N    crash: turns in all (1000)
  --json       one JSON object as the last line`;

interface Size {
  seconds: number;
  turns: number;
}

/** Each takes its size and answers with the object that --json prints. */
const benches: Record<string, (size: Size, tell: (line: string) => void) => Promise<object>> = {
  events: ({ seconds }, tell) => benchEvents(seconds, tell),
  crash: benchCrash,
  turn: ({ seconds }, tell) => benchTurn(seconds, tell),
  retrieval: ({ seconds }, tell) => benchRetrieval(seconds, tell),
  gating: ({ seconds }, tell) => benchGating(seconds, tell),
};

function readArguments() {
  try {
    const { values, positionals } = parseArgs({
      options: { seconds: { type: 'string', default: '6' }, turns: { type: 'string', default: '1000' }, json: { type: 'boolean', default: false }, help: { type: 'boolean', short: 'h', default: false } },
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
    const turns = Number(values.turns);
    if (!(Number.isInteger(turns) && turns >= 1 && turns <= 100_000)) throw new Error('--turns takes a whole number from 1 to 100000');
    return { bench, size: { seconds, turns }, json: values.json };
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${usage}`);
    return process.exit(64); // EX_USAGE
  }
}

const { bench, size, json } = readArguments();
const result = await bench(size, (line) => console.error(line));
console.log(json ? JSON.stringify(result) : JSON.stringify(result, null, 2));
