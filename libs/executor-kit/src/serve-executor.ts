import { executorEdges } from '@skillgate/contracts/services/executor';
import { type RunningService, bootService } from '@skillgate/service-kit/boot';
import type { LogDestination } from '@skillgate/service-kit/log';
import { type ServiceDefinition, defineService } from '@skillgate/service-kit/service-definition';
import { z } from 'zod';
import type { Executor } from './define-executor.js';
import { ExecutorModule } from './executor-module.js';

/** An executor as a service of the house, for `runService` in a process of its own and for `bootService` beside others. */
export const executorService = (executor: Executor): ServiceDefinition =>
  defineService({
    name: executor.name,
    edges: executorEdges(executor.name),
    config: z.object({}),
    module: () => ExecutorModule.of(executor),
  });

/**
 * Boots an executor; `stop()` says goodbye, ends running calls and closes. @throws ConfigError naming a bad variable
 *
 * @param logTo takes the log lines instead of stdout
 */
export const serveExecutor = (executor: Executor, env: NodeJS.ProcessEnv = process.env, logTo?: LogDestination): Promise<RunningService> =>
  bootService(executorService(executor), env, { logTo });
