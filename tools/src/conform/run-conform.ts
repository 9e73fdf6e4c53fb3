import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { startNats } from '@skillgate/backing/nats';
import { conform } from '@skillgate/executor-kit/conform/conform';
import { conformEdges } from '@skillgate/executor-kit/conform/peers';
import { conformPlan, type ConformPlan } from '@skillgate/executor-kit/conform/plan';
import { printReport } from '@skillgate/executor-kit/conform/report';
import { natsConfig } from '@skillgate/wire/permissions';
import { z } from 'zod';
import type { ConformArguments } from './conform-arguments.js';
import { startCommand } from './start-command.js';

/** Milliseconds that the suite waits for an executor that somebody starts by hand. */
const byHandMs = 10 * 60_000;

interface Server {
  readonly url: string;
  readonly passwords: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

/** @returns the exit code: 1 when a rule is broken @throws when the plan cannot be read or NATS cannot be reached */
export async function runConform({ executor, plan, nats, command, json }: ConformArguments, calledFrom: string, print: (line: string) => void): Promise<number> {
  const calls = readPlan(resolve(calledFrom, plan));
  const server = await (nats ? givenServer(executor, nats, process.env) : ownServer(executor));
  try {
    const env = { SKILLGATE_NATS_URL: server.url, SKILLGATE_NATS_PASSWORD: server.passwords[executor] };
    const byHand = command.length === 0;
    if (byHand) for (const [name, value] of Object.entries(env)) process.stderr.write(`export ${name}=${value}\n`);
    if (byHand) process.stderr.write(`start "${executor}" with these; the suite waits ten minutes for its announcement\n`);
    const report = await conform({
      ...{ executor, plan: calls, servers: server.url, passwords: server.passwords },
      ...(byHand ? { announceWithinMs: byHandMs } : { start: startCommand(command, calledFrom, env) }),
    });
    print(json ? JSON.stringify(report) : printReport(report));
    return report.broken > 0 ? 1 : 0;
  } finally {
    await server.stop();
  }
}

function readPlan(path: string): ConformPlan {
  if (!existsSync(path)) throw new Error(`there is no plan ${path}; write {"call":{"tool":"…","arguments":{…}}} with a call that works, or name the file with --plan`);
  const plan = conformPlan.safeParse(JSON.parse(readFileSync(path, 'utf8')));
  if (!plan.success) throw new Error(`${path}: ${z.prettifyError(plan.error)}`);
  return plan.data;
}

async function ownServer(executor: string): Promise<Server> {
  const edges = conformEdges(executor);
  const passwords = Object.fromEntries(edges.map(({ service }) => [service, randomBytes(12).toString('hex')]));
  const server = await startNats({ config: (port, storeDir) => natsConfig(edges, passwords, { port, storeDir }) });
  return { url: server.url, passwords, stop: () => server.stop() };
}

async function givenServer(executor: string, url: string, env: NodeJS.ProcessEnv): Promise<Server> {
  const passwords = Object.fromEntries(conformEdges(executor).map(({ service }) => [service, env[variableOf(service)] ?? '']));
  const missing = Object.keys(passwords).find((service) => !passwords[service]);
  if (missing) throw new Error(`set ${variableOf(missing)} to the password of the NATS user "${missing}"`);
  return { url, passwords, stop: async () => undefined };
}

const variableOf = (service: string): string => `SKILLGATE_NATS_PASSWORD_${service.toUpperCase().replaceAll('-', '_')}`;
