import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Health } from './health.js';

/**
 * `/health/live` and `/health/ready` over plain node:http, the same for a service with an HTTP application and for one
 * that only hears NATS. @nestjs/terminus needs controllers, hence an HTTP application in every service, and knows neither
 * since when a part is down nor that a service drains.
 *
 * @returns false when the request is for somebody else
 */
export function answerHealth(
  health: Health,
  { method, url = '' }: Pick<IncomingMessage, 'method' | 'url'>,
  response: ServerResponse,
): boolean {
  const [path] = url.split('?');
  if (path !== '/health/live' && path !== '/health/ready') return false;
  if (method !== 'GET' && method !== 'HEAD') send(response, 405, { error: `use GET ${path}` });
  else if (path === '/health/live') send(response, 200, { status: 'up', since: startedAt });
  else void health.report().then((report) => send(response, report.ready ? 200 : 503, report));
  return true;
}

/** Answering at all is what liveness means: a process that waits for NATS or a database is not helped by a restart. */
const startedAt = new Date(Date.now() - process.uptime() * 1000).toISOString();

export async function listenForProbes(health: Health, host: string, port: number): Promise<Server> {
  const server = createServer((request, response) => {
    if (!answerHealth(health, request, response)) send(response, 404, { error: 'only /health/live and /health/ready are here' });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) =>
      reject(new Error(`the health listener cannot have ${host}:${port} (SKILLGATE_HEALTH_PORT): ${error.message}`)),
    );
    server.listen(port, host, resolve);
  });
  return server;
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' }).end(JSON.stringify(body));
}
