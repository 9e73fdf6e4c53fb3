import { baseTools } from '@skillgate/prompt/base-tools';
import pg from 'pg';
import { chainTables } from './chain-sql.js';
import { type SourceProcess, startSource } from './source-process.js';
import type { TurnHouse } from './turn-house.js';
import { turnSkills } from './turn-executor.js';

export interface Chain {
  readonly url: string;
  readonly pids: Readonly<Record<string, number>>;
  stop(): Promise<void>;
}

/** The gateway last: it answers nobody before the others can. */
const roles = ['accounts', 'catalog', 'registry', 'executor', 'orchestrator', 'gateway'];

/** Leading message as long as the house's own, which has the whole catalog. */
export const barePrefix = 'One line of a catalog is about as long as this one, which says what a skill is for and when to use it, in words. '.repeat(110);
export const bareInstructions = turnSkills['bench-work'];

/** The same hops, transactions and bytes as the house makes for a gated turn, in as many processes, on the same servers, without any framework. */
export async function startChain(house: TurnHouse, modelUrl: string): Promise<Chain> {
  const databaseUrl = await house.postgres.createDatabase('bare');
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(chainTables);
  await client.query(`INSERT INTO facts VALUES ('00000000-0000-4000-8000-000000000001', $1)`, ['x'.repeat(500)]);
  await client.end();
  const place = { natsUrl: house.nats.url, databaseUrl, modelUrl, prefix: barePrefix, tools: [...baseTools], instructions: bareInstructions };
  const processes: [string, SourceProcess][] = [];
  let port = 0;
  for (const role of roles) {
    const started = startSource('bench/chain-main.ts', process.env, `${house.folder}/chain.log`);
    processes.push([role, started]);
    const said = await started.ask<{ port: number | null }>({ role, ...place });
    port = said.port ?? port;
  }
  return {
    url: `http://127.0.0.1:${port}`,
    pids: Object.fromEntries(processes.map(([role, { pid }]) => [role, pid])),
    async stop() {
      await Promise.all(processes.map(([, each]) => each.stop()));
    },
  };
}
