import { Agent, request } from 'node:http';

/** Connections of one slice: a server closes those on which nothing comes for some seconds, as while the other sides are measured. */
export const openConnections = (): Agent => new Agent({ keepAlive: true, maxSockets: 256 });

/** A user of one turn over HTTP who reads the stream to its end. @throws Error with what came when that is no whole answer */
export const askTurn =
  (url: string, nextKey: () => string, agent: Agent) =>
  (): Promise<void> =>
    new Promise((resolve, reject) => {
      const body = JSON.stringify({ model: 'bench', stream: true, messages: [{ role: 'user', content: 'Do the work.' }] });
      const headers = { authorization: `Bearer ${nextKey()}`, 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
      const asking = request(`${url}/v1/chat/completions`, { method: 'POST', agent, headers }, (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (piece: string) => (text += piece));
        response.on('end', () => {
          if (text.endsWith('data: [DONE]\n\n') && text.includes('word 31')) resolve();
          else reject(new Error(`a turn answered ${response.statusCode}: ${text.slice(-500)}`));
        });
        response.on('error', reject);
      });
      asking.on('error', reject);
      asking.end(body);
    });
