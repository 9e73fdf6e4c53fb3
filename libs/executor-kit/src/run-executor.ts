import { runService } from '@skillgate/service-kit/run';
import type { Executor } from './define-executor.js';
import { executorService } from './serve-executor.js';

/**
 * An executor as a process of its own, for `main.ts`: it owns the signals, and SIGTERM drains it. Exit codes: 0 drained,
 * 1 failed, 78 (EX_CONFIG) bad variables, which are listed on stderr.
 */
export const runExecutor = (executor: Executor, env: NodeJS.ProcessEnv = process.env): Promise<void> => runService(executorService(executor), env);
