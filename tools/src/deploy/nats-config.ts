import { edgesWithGuests } from '@skillgate/standalone/house-services';
import { natsConfig } from '@skillgate/wire/permissions';

/**
 * `deploy/nats/nats.conf`: every service's own user and permissions, the passwords from the server's environment.
 *
 * @param guests executors that do not come with the house
 */
export const containerNatsConfig = (guests: readonly string[] = []): string =>
  natsConfig(edgesWithGuests(guests), 'env', { host: '0.0.0.0', port: 4222, monitorPort: 8222, storeDir: '/data' });
