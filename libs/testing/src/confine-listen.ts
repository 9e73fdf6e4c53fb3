import { Server, type AddressInfo } from 'node:net';

/**
 * Runs something that listens on all interfaces, and has it listen on 127.0.0.1 alone.
 *
 * @throws Error when a server came up that others could reach; it is closed
 */
export async function confineListen<T>(start: () => Promise<T>): Promise<T> {
  const listen = Server.prototype.listen;
  const begun: Server[] = [];
  Server.prototype.listen = function confined(this: Server, ...args: unknown[]) {
    begun.push(this);
    const [port, host, ...rest] = args;
    const named =
      typeof port === 'number' && typeof host !== 'string' ? [port, '127.0.0.1', ...(host === undefined ? [] : [host]), ...rest] : args;
    return (listen as (...all: unknown[]) => Server).apply(this, named);
  } as typeof listen;
  let made: T;
  try {
    made = await start();
  } finally {
    Server.prototype.listen = listen;
  }
  await Promise.all(
    begun.map((server) =>
      server.listening ? undefined : new Promise((resolve, reject) => server.once('listening', resolve).once('error', reject)),
    ),
  );
  const open = begun.filter((server) => (server.address() as AddressInfo).address !== '127.0.0.1');
  for (const server of open) server.close();
  if (open.length > 0) throw new Error('a server of a test listens on other addresses than 127.0.0.1');
  return made;
}
