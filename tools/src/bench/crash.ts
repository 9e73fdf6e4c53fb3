import { buildHouse } from '@skillgate/standalone/split-processes';
import pg from 'pg';
import { CrashClient, type TurnEnd } from './crash-client.js';
import { startCrashHouse } from './crash-house.js';
import { startOrchestrators } from './crash-orchestrators.js';

export interface CrashResult {
  turns: number;
  finished: number;
  failedClearly: number;
  lost: number;
  doubled: number;
  /** From the last sign of life of a turn's instance to its takeover: the lease is part of it. */
  takeoverMs: { p50: number; p99: number };
}

const inFlight = 32;
const killEveryMs = 2_000;
/** As configured where nobody configures it. */
const leaseMs = 15_000;

/**
 * Turns with a load, a read and an effect, over orchestrators in three processes of which one is killed every two seconds. When
 * half of the turns have ended NATS is restarted, and when three quarters have, PostgreSQL.
 */
export async function benchCrash({ turns }: { turns: number }, tell: (line: string) => void): Promise<CrashResult> {
  tell('building the orchestrator, then starting NATS, PostgreSQL and every other service in this process');
  await buildHouse();
  const house = await startCrashHouse(tell);
  const orchestrators = startOrchestrators(3, house.env, house.folder);
  let kills: NodeJS.Timeout | undefined;
  try {
    await orchestrators.ready();
    tell(`${process.version}, ${turns} turns, ${inFlight} in flight, one of 3 orchestrators killed every ${killEveryMs / 1000} s; logs in ${house.folder}`);
    kills = setInterval(() => void orchestrators.killOne(), killEveryMs);
    const ends = await runTurns(turns, new CrashClient(house.url, house.key), restarts(turns, house, tell), tell);
    clearInterval(kills);
    await orchestrators.ready();
    const running = await stillRunning(house.databaseUrl);
    for (const { end, ...why } of ends) if (end !== 'finished') tell(`${end}: ${JSON.stringify(why)}`);
    tell(`${orchestrators.killed} kills, ${orchestrators.lapsedMs.length} takeovers, ${await house.executor.happened()} effects, ${running} turns that still run`);
    const count = (what: TurnEnd['end']) => ends.filter(({ end }) => end === what).length;
    return {
      turns,
      finished: count('finished'),
      failedClearly: count('failed'),
      lost: count('lost') + running,
      doubled: await house.executor.doubled(),
      takeoverMs: { p50: percentile(orchestrators.lapsedMs, 0.5), p99: percentile(orchestrators.lapsedMs, 0.99) },
    };
  } finally {
    clearInterval(kills);
    await orchestrators.stop();
    await house.stop();
  }
}

/** @param onEnded is awaited by nobody: what it does happens under the turns */
async function runTurns(turns: number, client: CrashClient, onEnded: (ended: number) => void, tell: (line: string) => void): Promise<TurnEnd[]> {
  const ends: TurnEnd[] = [];
  let next = 0;
  const user = async () => {
    while (next < turns) {
      const n = next++;
      ends.push(await client.turn(n).catch((error: unknown): TurnEnd => ({ end: 'lost', why: `turn ${n}: ${String(error)}` })));
      onEnded(ends.length);
      if (ends.length % 100 === 0) tell(`${ends.length} turns have ended`);
    }
  };
  await Promise.all(Array.from({ length: Math.min(inFlight, turns) }, user));
  return ends;
}

function restarts(turns: number, { nats, postgres }: { nats: { restart(): Promise<void> }; postgres: { restart(): Promise<void> } }, tell: (line: string) => void): (ended: number) => void {
  const plan = [
    { at: Math.ceil(turns / 2), what: 'NATS', restart: () => nats.restart() },
    { at: Math.ceil((turns * 3) / 4), what: 'PostgreSQL', restart: () => postgres.restart() },
  ];
  return (ended) => {
    for (const { what, restart } of plan.filter(({ at }) => at === ended)) {
      tell(`restarting ${what}`);
      restart().then(
        () => tell(`${what} is back`),
        (error: unknown) => tell(`${what} did not come back: ${String(error)}`),
      );
    }
  };
}

async function stillRunning(databaseUrl: string): Promise<number> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ count: string }>(`SELECT count(*) FROM orchestrator.turns WHERE status = 'running'`);
    return Number(rows[0]?.count);
  } finally {
    await client.end();
  }
}

function percentile(lapsedMs: readonly number[], part: number): number {
  const sorted = [...lapsedMs].sort((a, b) => a - b);
  const value = sorted[Math.min(Math.floor(sorted.length * part), sorted.length - 1)];
  return value === undefined ? 0 : Math.round(leaseMs + value);
}
