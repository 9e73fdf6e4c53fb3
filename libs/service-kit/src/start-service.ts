import type { z } from 'zod';
import { streamsOf } from '@skillgate/contracts/streams';
import { connectWire } from '@skillgate/wire/connect';
import type { Wire } from '@skillgate/wire/wire';
import type { RunningService } from './running-service.js';
import type { Drain, DrainStep } from './drain.js';
import { eventsVerdict } from './events-health.js';
import { makeHealth, type Verdict } from './health.js';
import { listenForProbes } from './health-routes.js';
import { makeLifecycle } from './lifecycle.js';
import type { Kit, ServiceDefinition } from './service-definition.js';
import { redactText } from './redact.js';
import { startApp } from './start-app.js';

type Started = Pick<RunningService, 'app' | 'url' | 'wire' | 'health'>;

/** Opens one part after the other and adds its end to the drain, which runs backwards. */
export async function startService<C extends z.ZodObject>(
  definition: ServiceDefinition<C>,
  base: Pick<Kit, 'name' | 'config' | 'env' | 'log' | 'telemetry'>,
  drain: Drain,
): Promise<Started> {
  const { name, config, log, telemetry } = base;
  const lifecycle = makeLifecycle();
  const health = makeHealth(name, log);
  health.add('service', lifecycle.verdict, 0);
  if (config.SKILLGATE_HEALTH_PORT > 0) {
    const probes = await listenForProbes(health, config.SKILLGATE_HTTP_HOST, config.SKILLGATE_HEALTH_PORT);
    drain.add('health listener', () => void probes.close().closeAllConnections());
  }
  const wire = await connectWire({
    service: name,
    servers: config.SKILLGATE_NATS_URL,
    password: config.SKILLGATE_NATS_PASSWORD,
    log,
    tracer: telemetry.tracer,
    meter: telemetry.meter,
    redact: redactText,
  });
  drain.add('connection to NATS', () => wire.close());
  health.add('nats', () => natsVerdict(wire), 0);
  if (definition.edges.hears.length > 0) health.add('events', () => eventsVerdict(wire));

  await wire.reconcileStreams(streamsOf(definition.edges)); // before anything emits
  const ownSteps: [string, DrainStep][] = [];
  const kit: Kit = { ...base, wire, health, draining: lifecycle.draining, onDrain: (what, step) => void ownSteps.push([what, step]) };
  const { app, url, closeHttp } = await startApp(definition, kit, drain);
  drain.add('traces and metrics', () => telemetry.flush());
  drain.add('own work', (leftMs) => runAll(ownSteps, leftMs));
  drain.add('calls', (leftMs) => finishCalls(wire, leftMs));
  drain.add('HTTP', closeHttp);
  drain.add('readiness', () => lifecycle.drain());
  lifecycle.serve();
  return { app, url, wire, health };
}

function natsVerdict(wire: Wire): Verdict {
  const { connected, since, lastError } = wire.status();
  return connected ? { up: true, since } : { up: false, since, detail: lastError ?? 'not connected' };
}

async function finishCalls(wire: Wire, leftMs: number): Promise<void> {
  const aborted = await wire.stopServing(leftMs);
  if (aborted > 0) throw new Error(`${aborted} were still running after ${leftMs} ms and were aborted`);
}

async function runAll(steps: readonly [string, DrainStep][], leftMs: number): Promise<void> {
  const ends = await Promise.allSettled(steps.map(async ([, step]) => step(leftMs)));
  const failed = ends.flatMap((end, n) => (end.status === 'rejected' ? [`${steps[n]![0]}: ${String(end.reason)}`] : []));
  if (failed.length > 0) throw new Error(failed.join('; '));
}
