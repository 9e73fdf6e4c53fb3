import { startSplit } from '@skillgate/standalone/split-processes';
import { startSource } from './source-process.js';
import { type StagedHouse, startStagedHouse } from './staged-house.js';
import { turnExecutor, turnProfiles, turnSkills } from './turn-executor.js';

export interface TurnHouse extends StagedHouse {
  /** One of its accounts after the other: each may have 32 turns in flight, and begins them one behind the other. */
  nextKey(): string;
  /** Process ids by service. */
  readonly pids: Readonly<Record<string, number>>;
}

/** Accounts that the turns come from. */
const accounts = 8;

/** The house as in production: each service a process of its own, from its build, over NATS with permissions and a durable PostgreSQL. */
export async function startTurnHouse(modelUrl: string, otlp?: string): Promise<TurnHouse> {
  const pids: Record<string, number> = {};
  const env = { SKILLGATE_MODEL: 'bench', SKILLGATE_LOG_LEVEL: 'warn', OTEL_EXPORTER_OTLP_ENDPOINT: otlp };
  const stage = { executor: turnExecutor, skills: turnSkills, profiles: turnProfiles, modelUrl, env, durable: true };
  const house = await startStagedHouse(stage, async (all, logFile) => {
    const split = startSplit(all, logFile, (name, code) => console.error(`${name} ended by itself with ${code}`));
    const executor = startSource('bench/turn-executor-main.ts', all, logFile);
    for (const { name, pid } of split.services) pids[name] = pid;
    pids.bench = executor.pid;
    return async () => {
      await Promise.all([split.stop(5_000), executor.stop()]);
    };
  });
  const keys: string[] = [];
  for (let n = 0; n < accounts; n += 1) keys.push(await house.newKey());
  let next = 0;
  return { ...house, pids, nextKey: () => keys[(next += 1) % accounts]! };
}
