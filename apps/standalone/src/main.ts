import { ConfigError, configExitCode } from '@skillgate/service-kit/config';
import { startStandalone } from './start-standalone.js';

/** All services in one process against NATS and PostgreSQL that run already; `bin/dev` starts those too. */
try {
  const house = await startStandalone(process.env);
  console.log(JSON.stringify({ msg: 'standalone is ready', url: house.url, pid: process.pid }));
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => {
      house.stop().then(
        () => process.exit(0),
        (error: unknown) => {
          console.error(error);
          process.exit(1);
        },
      );
    });
  }
} catch (error) {
  console.error(error instanceof ConfigError ? error.message : error);
  process.exit(error instanceof ConfigError ? configExitCode : 1);
}
