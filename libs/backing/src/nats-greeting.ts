import { connect } from 'node:net';
import type { OwnProcess } from './own-process.js';

/** The name in the INFO line that a NATS server sends to whoever connects; undefined when nothing answers like one. */
function serverName(port: number, timeoutMs = 1_000): Promise<string | undefined> {
  return new Promise((resolve) => {
    let text = '';
    const socket = connect(port, '127.0.0.1');
    const finish = (name?: string) => {
      socket.destroy();
      resolve(name);
    };
    socket.setTimeout(timeoutMs, () => finish());
    socket.once('error', () => finish());
    socket.once('close', () => finish());
    socket.on('data', (chunk) => {
      text += chunk.toString('utf8');
      const info = /^INFO (\{.*\})\s*\r\n/.exec(text)?.[1]; // protocol: "INFO {json}\r\n" comes first
      if (info) finish((JSON.parse(info) as { server_name: string }).server_name);
      else if (!'INFO '.startsWith(text.slice(0, 5))) finish('(not a NATS server)');
    });
  });
}

/** Waits until a server with the random `name` answers. Never trusts a port alone: it may be somebody else's server. */
export async function greetNats(
  port: number,
  name: string,
  server: Pick<OwnProcess, 'running'>,
  patienceMs = 15_000,
): Promise<'ours' | 'somebody-else' | 'silence'> {
  const deadline = Date.now() + patienceMs;
  while (server.running() && Date.now() < deadline) {
    const answer = await serverName(port);
    if (answer === name) return 'ours';
    if (answer !== undefined) return 'somebody-else';
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return 'silence';
}
