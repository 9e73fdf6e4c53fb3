import { randomUUID } from 'node:crypto';
import { startOtlpReceiver, type OtlpReceiver } from '@skillgate/backing/otlp-receiver';
import { registryPublicKeys } from '@skillgate/contracts/calls/registry';
import type { HouseError } from '@skillgate/contracts/refusal';
import { artifactsEdges } from '@skillgate/contracts/services/artifacts';
import { executorEdges } from '@skillgate/contracts/services/executor';
import { orchestratorEdges } from '@skillgate/contracts/services/orchestrator';
import { registryEdges } from '@skillgate/contracts/services/registry';
import type { ToolResult } from '@skillgate/contracts/tool-call';
import type { RunningService } from '@skillgate/service-kit/boot';
import { makeSigner, newSigningKey, type Signer } from '@skillgate/service-kit/signing';
import { withNats, type TestNats } from '@skillgate/testing/with-nats';
import type { Wire } from '@skillgate/wire/wire';
import { serveExecutor } from '../src/serve-executor.js';
import { lab, release } from './lab.js';

export interface Ask {
  args?: Record<string, unknown>;
  grant?: string;
  callId?: string;
  turnId?: string;
  deadlineMs?: number;
  signal?: AbortSignal;
}

/** The lab served over a real NATS server, with a registry that only has keys and an orchestrator that only calls. */
export interface LabHouse {
  readonly nats: TestNats;
  readonly otlp: OtlpReceiver;
  readonly registry: Wire;
  readonly orchestrator: Wire;
  /** The turn and account that calls belong to unless they say otherwise. */
  readonly turn: string;
  readonly account: string;
  /** A grant for every tool of the lab, with changes. */
  grant(change?: object, by?: Signer): Promise<string>;
  call(tool: string, ask?: Ask): Promise<ToolResult>;
  /** The error of a call that must not be answered. */
  failure(tool: string, ask?: Ask): Promise<HouseError>;
  serve(): Promise<RunningService>;
  stop(): Promise<void>;
}

export async function startLab(): Promise<LabHouse> {
  const nats = await withNats([executorEdges('lab'), executorEdges('other'), registryEdges, orchestratorEdges, artifactsEdges]);
  const otlp = await startOtlpReceiver();
  const signer = makeSigner(await newSigningKey(), 'registry');
  const [registry, orchestrator] = await Promise.all([nats.connect('registry'), nats.connect('orchestrator')]);
  await registry.serve(registryPublicKeys, async () => signer.publicKeys()).ready;
  const services: RunningService[] = [];

  const ids = { account: randomUUID(), user: randomUUID(), chat: randomUUID(), turn: randomUUID() };
  const tools = Object.fromEntries([...lab.tools.keys()].map((name) => [name, 'memo@1.0.0#aa']));
  const grant = (change: object = {}, by = signer) =>
    by.sign({ typ: 'grant', aud: 'lab', ...ids, tools, policyEpoch: 1, exp: Math.floor(Date.now() / 1000) + 60, ...change });

  const call = async (tool: string, ask: Ask = {}) => {
    const { args = {}, callId = randomUUID(), turnId = ids.turn, deadlineMs = 5_000, signal } = ask;
    return orchestrator.callTool(
      'lab',
      tool,
      { arguments: args },
      { grant: ask.grant ?? (await grant()), callId, turnId, deadlineMs, signal },
    );
  };
  return {
    nats,
    otlp,
    registry,
    orchestrator,
    turn: ids.turn,
    account: ids.account,
    grant,
    call,
    failure: (tool, ask) =>
      call(tool, ask).then(
        ({ content }) => Promise.reject(new Error(`was answered with ${JSON.stringify(content).slice(0, 100)}`)),
        (error: HouseError) => error,
      ),
    async serve() {
      const service = await serveExecutor(lab, {
        SKILLGATE_NATS_URL: nats.url,
        SKILLGATE_NATS_PASSWORD: nats.passwords.lab,
        SKILLGATE_LOG_LEVEL: 'silent',
        OTEL_EXPORTER_OTLP_ENDPOINT: otlp.url,
      });
      services.push(service);
      return service;
    },
    async stop() {
      release(); // what a failed test left holding would keep the drain, and with it jest, waiting
      const stops = await Promise.allSettled(services.map((service) => service.stop(10_000)));
      await nats.close();
      await otlp.close();
      for (const stop of stops) if (stop.status === 'rejected') throw stop.reason;
    },
  };
}

export const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

export async function until(condition: () => boolean): Promise<void> {
  for (let tries = 0; !condition(); tries += 1) {
    if (tries > 300) throw new Error('did not come true within 3 s');
    await pause(10);
  }
}
