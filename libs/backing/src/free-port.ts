import { createServer, type AddressInfo } from 'node:net';

/** A TCP port on 127.0.0.1 that the system says is free now. Another process may still take it first: check what answers. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo;
      probe.close(() => resolve(port));
    });
  });
}
