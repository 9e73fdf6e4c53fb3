import { startOtlpSink } from './otlp-sink.js';
import { barePrefix, bareInstructions, startChain } from './chain.js';
import { keepInFlight, type Slice } from './in-flight.js';
import { processorMs, residentMb } from './processor-time.js';
import { type Measured, summarise, type TurnResult } from './turn-figures.js';
import { startSource } from './source-process.js';
import { askTurn, openConnections } from './turn-client.js';
import { startTurnHouse, type TurnHouse } from './turn-house.js';

/** Turns in flight. Every side works at each of them, also where its figure is not asked for: what has run more often is compiled better. */
const loads = [1, 16, 64];
/** Slices of the time that each side gets: what else the machine does hits all alike. */
const rounds = 6;
const warmMs = 4_000;

interface Side {
  run(inFlight: number, ms: number): Promise<Slice>;
  /** Processes that work for it. */
  readonly pids: readonly number[];
}

/**
 * The gated turn (load_skill, one tool, an answer in 32 chunks) over a house whose services are processes of their own, a bare chain of the
 * same hops on the same servers, the loop of the `ai` SDK in one process, and a second house that is traced.
 *
 * @param seconds for each side at each number of turns in flight
 */
export async function benchTurn(seconds: number, tell: (line: string) => void): Promise<TurnResult> {
  const ends: (() => Promise<unknown>)[] = [];
  const begun = <T extends { stop(): Promise<unknown> }>(what: T): T => {
    ends.push(() => what.stop());
    return what;
  };
  try {
    tell('starting two houses (one is traced), the bare chain, the loop of ai and the model');
    const model = begun(startSource('bench/turn-model.ts', process.env, '/dev/null'));
    const modelUrl = `http://127.0.0.1:${(await model.hear<{ port: number }>()).port}/v1`;
    const house = begun(await startTurnHouse(modelUrl));
    const chain = begun(await startChain(house, modelUrl));
    const ai = begun(startSource('bench/ai-main.ts', process.env, `${house.folder}/ai.log`));
    await ai.ask({ modelUrl, prefix: barePrefix, instructions: bareInstructions });
    const sink = begun(await startOtlpSink());
    const traced = begun(await startTurnHouse(modelUrl, sink.url));
    const sides: Record<string, Side> = {
      ours: overHttp(house.url, house.nextKey, [...Object.values(house.pids), house.nats.pid, house.postgres.pid]),
      chain: overHttp(chain.url, () => 'none', [...Object.values(chain.pids), house.nats.pid, house.postgres.pid]),
      ai: { run: (inFlight, ms) => ai.ask({ inFlight, ms }), pids: [ai.pid] },
      traced: overHttp(traced.url, traced.nextKey, [...Object.values(traced.pids), traced.nats.pid, traced.postgres.pid]),
    };
    tell(`${process.version}, ai ${await aiVersion()}, ${seconds} s a side and load in ${rounds} rounds, all sides in turn`);
    for (const side of Object.values(sides)) await side.run(16, warmMs); // none counted: V8 compiles what is hot for some seconds
    const measured = await measure(sides, seconds, tell);
    const result = summarise(measured, memoryOf(house));
    if (sink.received() === 0) throw new Error('the traced house sent no spans: its cost would be that of nothing');
    return result;
  } finally {
    for (const end of ends.reverse()) await end();
  }
}

const overHttp = (url: string, nextKey: () => string, pids: number[]): Side => ({
  pids,
  async run(inFlight, ms) {
    const connections = openConnections();
    return keepInFlight(askTurn(url, nextKey, connections), inFlight, ms).finally(() => connections.destroy());
  },
});

async function measure(sides: Record<string, Side>, seconds: number, tell: (line: string) => void): Promise<Measured[]> {
  const measured: Measured[] = [];
  const names = Object.keys(sides);
  for (let round = 0; round < rounds; round += 1) {
    for (const inFlight of loads) {
      // Every other round backwards, so that nobody always comes behind the same neighbour.
      for (const name of round % 2 === 0 ? names : [...names].reverse()) {
        const side = sides[name]!;
        const before = processorMs(side.pids);
        const slice = await side.run(inFlight, (seconds * 1_000) / rounds);
        const after = processorMs(side.pids);
        if (slice.failures.length > 0) tell(`${name}@${inFlight}: ${slice.failures.length} turns came to nothing, the first: ${slice.failures[0]}`);
        if (slice.done === 0) throw new Error(`no turn of "${name}" at ${inFlight} in flight came to its end; the machine is too busy, or the side is broken`);
        measured.push({ side: name, inFlight, round, ...slice, cpuMs: before === null || after === null ? null : after - before });
      }
    }
    tell(`round ${round + 1} of ${rounds}: ${measured.slice(-loads.length * names.length).map(({ side, inFlight, done, ms }) => `${side}@${inFlight} ${Math.round((done / ms) * 1_000)}/s`).join(', ')}`);
  }
  return measured;
}

const memoryOf = ({ pids, nats }: TurnHouse): Record<string, number> =>
  Object.fromEntries([...Object.entries(pids), ['nats', nats.pid] as const].flatMap(([name, pid]) => [[name, residentMb(pid)] as const]).filter((pair): pair is [string, number] => pair[1] !== null));

async function aiVersion(): Promise<string> {
  const { default: manifest } = (await import('ai/package.json', { with: { type: 'json' } })) as { default: { version: string } };
  return manifest.version;
}
