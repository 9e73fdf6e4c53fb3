import type { Socket } from 'node:net';

const guarded = new WeakSet<Socket>();

/**
 * Keeps an error listener on the socket of a connection for as long as the socket lives.
 *
 * nats.js 3.4 takes all listeners off a socket that it gives up. When a write had met the server's end of the stream just
 * before, its "write after end" is emitted a tick later, finds nobody, and ends the process: a NATS server that is restarted
 * would take services with it. What the error says is known already, by the status of the connection.
 */
export function guardSocket(socket: Socket): void {
  if (guarded.has(socket)) return;
  guarded.add(socket);
  const removeAllListeners = socket.removeAllListeners.bind(socket);
  socket.removeAllListeners = (...named) => {
    removeAllListeners(...named); // not (undefined): that would take off nothing
    return socket.on('error', ignore);
  };
}

function ignore(): void {}
