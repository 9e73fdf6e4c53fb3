import type { z } from 'zod';
import { bootService, type RunningService } from './boot.js';
import { ConfigError, configExitCode } from './config.js';
import { makeLog } from './log.js';
import type { ServiceDefinition } from './service-definition.js';
import { dieOnUncaught, stopOnSignals } from './signals.js';

/**
 * A service as a process of its own: boots it and owns the signals. Exit codes: 0 drained, 1 failed, 78 (EX_CONFIG) bad
 * variables, which are listed on stderr.
 */
export async function runService<C extends z.ZodObject>(
  definition: ServiceDefinition<C>,
  env: NodeJS.ProcessEnv = process.env,
): Promise<void> {
  // Before anything can fail; the service's own log takes its level from the configuration.
  const log = makeLog(definition.name, 'info');
  let running: RunningService | undefined;
  dieOnUncaught(log);
  stopOnSignals(log, async () => running?.stop()); // while it still starts there is nothing to lose
  try {
    running = await bootService(definition, env);
  } catch (error) {
    if (error instanceof ConfigError) {
      process.stderr.write(`${error.message}\n`);
      process.exit(configExitCode);
    }
    log.fatal({ err: error }, `${definition.name} could not start`);
    process.exit(1);
  }
}
