import { startOfflineModel } from './start.js';

const port = Number(process.env.SKILLGATE_OFFLINE_MODEL_PORT ?? 0);
if (!Number.isInteger(port) || port < 0 || port > 65_535) {
  console.error('SKILLGATE_OFFLINE_MODEL_PORT must be a port number, e.g. 4017 (0 takes a free one).');
  process.exit(1);
}
const model = await startOfflineModel({ port, host: process.env.SKILLGATE_OFFLINE_MODEL_HOST });
console.log(`offline model at ${model.url} (not a language model; for running without a key)`);

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void model.stop().then(() => process.exit(0)));
}
