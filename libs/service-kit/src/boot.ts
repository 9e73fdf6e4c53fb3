import { ROOT_CONTEXT } from '@opentelemetry/api';
import type { z } from 'zod';
import { readConfig } from './config.js';
import { makeDrain } from './drain.js';
import { makeLog, type LogDestination } from './log.js';
import type { ServiceDefinition } from './service-definition.js';
import type { RunningService } from './running-service.js';
import { startService } from './start-service.js';
import { startTelemetry } from './telemetry.js';

export type { RunningService } from './running-service.js';
export { defineService, type Kit, type ServiceDefinition } from './service-definition.js';

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
    metricsEndpoint: config.OTEL_EXPORTER_OTLP_METRICS_ENDPOINT,
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
