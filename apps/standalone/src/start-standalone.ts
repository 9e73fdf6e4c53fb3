import { executorService } from '@skillgate/executor-kit/serve-executor';
import { bootService, type RunningService } from '@skillgate/service-kit/boot';
import type { LogDestination } from '@skillgate/service-kit/log';
import { executors, platformServices } from './house-services.js';

export interface Standalone {
  /** The gateway's address. */
  readonly url: string;
  readonly services: readonly RunningService[];
  stop(budgetMs?: number): Promise<void>;
}

/**
 * Every service in this process, each with its own connection, permissions and telemetry resource: the same house as
 * split over processes, started in 2 s. When one cannot start, those that did are stopped.
 */
export async function startStandalone(env: NodeJS.ProcessEnv, logTo?: LogDestination): Promise<Standalone> {
  const services: RunningService[] = [];
  const stop = async (budgetMs?: number) => {
    // Whoever asks goes before whoever answers.
    for (const service of [...services].reverse()) await service.stop(budgetMs);
  };
  try {
    const definitions = [...platformServices, ...executors.map(({ executor }) => executorService(executor))];
    for (const definition of definitions) services.push(await bootService(definition, env, { logTo }));
  } catch (error) {
    await stop(0).catch(() => undefined); // the first error is the one to tell
    throw error;
  }
  const url = services.find((service) => service.url)?.url;
  if (!url) throw new Error('no service of the house listens for HTTP');
  return { url, services, stop };
}
