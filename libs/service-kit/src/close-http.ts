import type { Server } from 'node:http';

/**
 * Takes no new connections, lets requests in flight end, and after `leftMs` milliseconds cuts what is still open.
 *
 * @returns whether something had to be cut
 */
export async function closeHttp(server: Server, leftMs: number): Promise<boolean> {
  if (!server.listening) return false;
  let cut = false;
  // A kept connection becomes idle only when its answer is out, and would then keep the server open.
  const sweep = setInterval(() => server.closeIdleConnections(), 50);
  const limit = setTimeout(() => {
    cut = true;
    server.closeAllConnections();
  }, leftMs);
  try {
    await new Promise<void>((resolve, reject) => server.close((error) => (error ? reject(error) : resolve())));
    return cut;
  } finally {
    clearInterval(sweep);
    clearTimeout(limit);
  }
}
