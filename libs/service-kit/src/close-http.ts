import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/**
 * How to close an HTTP server that begins to listen: takes no new connections, lets requests in flight end, and after
 * `leftMs` milliseconds cuts what is still open. Resolves to whether something had to be cut.
 */
export function httpCloser(server: Server): (leftMs: number) => Promise<boolean> {
  const open = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  return (leftMs) => closeHttp(server, open, leftMs);
}

async function closeHttp(server: Server, open: ReadonlySet<Socket>, leftMs: number): Promise<boolean> {
  if (!server.listening) return false;
  let cut = false;
  // A kept connection becomes idle only when its answer is out, and would then keep the server open.
  const sweep = setInterval(() => closeUnused(server, open), 50);
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

/** Clients open connections ahead of need. To Node one that never carried a request is busy, not idle. */
function closeUnused(server: Server, open: ReadonlySet<Socket>): void {
  server.closeIdleConnections();
  for (const socket of open) if (socket.bytesRead === 0) socket.destroy();
}
