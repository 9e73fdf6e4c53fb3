import { containerNatsConfig } from './nats-config.js';

process.stdout.write(containerNatsConfig(process.argv.slice(2)));
