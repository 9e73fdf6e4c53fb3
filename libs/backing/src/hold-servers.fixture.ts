// Run as a process of its own: starts both servers, prints their pids, then ends in the way that its argument names.
import { startNats } from './nats.js';
import { startPostgres } from './postgres.js';

const nats = await startNats({ config: () => '' });
const postgres = await startPostgres({ durable: false });
process.stdout.write(`${JSON.stringify([nats.pid, postgres.pid])}\n`);
const ways: Record<string, () => void> = {
  'returning from main': () => {},
  'process.exit': () => process.exit(3),
  'an uncaught error': () => {
    throw new Error('uncaught on purpose');
  },
  waiting: () => setInterval(() => {}, 1_000),
};
ways[process.argv[2] as string]?.();
