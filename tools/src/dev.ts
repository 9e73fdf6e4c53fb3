import { startLocalHouse } from '@skillgate/standalone/local-house';
import { join } from 'node:path';
import { endOnSignal } from './end-on-signal.js';
import { curlLine } from './curl-line.js';
import { devArguments, devUsage } from './dev-arguments.js';

function readArguments() {
  try {
    return devArguments(process.argv.slice(2));
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${devUsage}`);
    return process.exit(64); // EX_USAGE
  }
}

const wanted = readArguments();
if (wanted.help) {
  console.log(devUsage);
  process.exit(0);
}

if (wanted['model-url'] && !process.env.SKILLGATE_MODEL) {
  console.error(`  SKILLGATE_MODEL is not set: requests will ask ${wanted['model-url']} for a model called "skillgate-offline"`);
}
const tell = (line: string) => console.error(`  ${line}`);
const house = await startLocalHouse({
  stateDir: wanted.state,
  port: wanted.port ?? 8080,
  portMayMove: wanted.port === undefined,
  modelUrl: wanted['model-url'],
  split: wanted.split,
  guests: wanted.executor,
  tell,
  onExit: (name, code) => {
    console.error(`${name} ended by itself (${code}); see ${join(wanted.state, 'house.log')}`);
    process.exitCode = 1;
    process.kill(process.pid, 'SIGTERM');
  },
}).catch((error: Error) => {
  console.error(`Skillgate did not start: ${error.message}\nIts log: ${join(wanted.state, 'house.log')}`);
  return process.exit(1);
});
endOnSignal(() => house.stop());

/** Milliseconds between two looks at the servers under the house: without them it is none, and nobody starts them again. */
const lookMs = 1_000;
setInterval(() => {
  for (const [name, { pid }] of [['nats-server', house.nats], ['PostgreSQL', house.postgres]] as const) {
    if (isAlive(pid)) continue;
    console.error(`${name} (process ${pid}) has ended; without it the house cannot go on. Start bin/dev again.`);
    process.exit(1);
  }
}, lookMs).unref();

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false; // no such process
  }
}

if (wanted.json) {
  console.log(JSON.stringify({ url: house.url, keys: house.keys, otlp: house.otlp, pid: process.pid, guests: house.guests }));
} else {
  console.log(`
Skillgate is ready at ${house.url}

  free      ${house.keys.free}
  pro       ${house.keys.pro}
  operator  ${house.keys.operator}

  ${curlLine(house.url, house.keys.pro)}

${Object.keys(house.guests).map((name) => `Executor   ${name}: . ${join(wanted.state, `${name}.env`)}, then start it\n`).join('')}API        ${house.url}/openapi.json
Traces     ${house.receiver ? `${house.otlp}/traces (kept in memory; set OTEL_EXPORTER_OTLP_ENDPOINT for Jaeger)` : house.otlp}
Metrics    ${house.receiver ? `${house.otlp}/metrics-received?name=skillgate.consumer (the last values; sent every 10 s)` : house.otlp}
Log        ${join(wanted.state, 'house.log')}
Model      ${house.offlineModel ? 'the offline stand-in, which is no language model; --model-url names a real one' : 'as configured'}

Ctrl-C ends it.`);
}
