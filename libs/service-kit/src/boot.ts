import type { INestApplicationContext } from '@nestjs/common';
import { ROOT_CONTEXT } from '@opentelemetry/api';
import type { z } from 'zod';
import type { Wire } from '@skillgate/wire/wire';
import { readConfig } from './config.js';
import { makeDrain } from './drain.js';
import type { Health } from './health.js';
import { makeLog, type Log, type LogDestination } from './log.js';
import type { ServiceDefinition } from './service-definition.js';
import { startService } from './start-service.js';
import { startTelemetry, type Telemetry } from './telemetry.js';

export { defineService, type Kit, type ServiceDefinition } from './service-definition.js';

export interface RunningService {
  readonly name: string;
  /** Of a service with an HTTP side: `http://host:port`. */
  readonly url?: string;
  readonly app: INestApplicationContext;
  readonly wire: Wire;
  readonly health: Health;
  readonly telemetry: Telemetry;
  readonly log: Log;
  /**
   * Drains within `budgetMs` milliseconds, SKILLGATE_DRAIN_MS unless given: not ready, takes nothing new, ends what is in
   * flight, sends its traces, closes pools and connections. Once; rejects when something was cut or failed.
   */
  stop(budgetMs?: number): Promise<void>;
}

/**
 * Starts a service, beside any others in this process. Throws a ConfigError for bad variables, else whatever went wrong,
 * after closing what was open. Signals are left alone: see `run.ts`.
 *
 * @param options.logTo takes the log lines instead of stdout
 */
export async function bootService<C extends z.ZodObject>(
  definition: ServiceDefinition<C>,
  env: NodeJS.ProcessEnv = process.env,
  options: { readonly logTo?: LogDestination } = {},
): Promise<RunningService> {
  const { name } = definition;
  const config = readConfig(name, definition.config, env);
  const log = makeLog(name, config.SKILLGATE_LOG_LEVEL, options.logTo);
  const telemetry = startTelemetry({
    service: name,
    log,
    endpoint: config.OTEL_EXPORTER_OTLP_ENDPOINT,
    isDefault: Boolean(definition.http),
  });
  const drain = makeDrain(log);
  drain.add('telemetry', () => telemetry.shutdown());
  const stop = (budgetMs: number = config.SKILLGATE_DRAIN_MS) => drain.run(budgetMs);
  try {
    const started = await telemetry.inService(() => startService(definition, { name, config, env, log, telemetry }, drain), ROOT_CONTEXT);
    log.info({ url: started.url }, `${name} is ready`);
    return { name, log, telemetry, stop, ...started };
  } catch (error) {
    await stop().catch(() => undefined); // it logged its own failures, which follow from the first
    throw error;
  }
}
