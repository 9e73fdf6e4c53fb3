import { once } from 'node:events';
import { createServer, request, type Server, type ServerResponse } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { httpCloser } from './close-http.js';

let server: Server;
let close: (leftMs: number) => Promise<boolean>;
let port: number;
/** Requests that wait for their answer. */
let waiting: ServerResponse[];

beforeEach(async () => {
  waiting = [];
  server = createServer((_request, response) => waiting.push(response));
  close = httpCloser(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  port = (server.address() as AddressInfo).port;
});
afterEach(() => {
  server.closeAllConnections();
});

async function ask(): Promise<{ status: Promise<number | undefined> }> {
  const asked = request({ port, host: '127.0.0.1' });
  const status = new Promise<number | undefined>((resolve, reject) => {
    asked.on('response', (response) => resolve(response.resume().statusCode));
    asked.on('error', reject);
  });
  asked.end();
  const before = waiting.length;
  while (waiting.length === before) await new Promise((resolve) => setTimeout(resolve, 5));
  return { status };
}

describe('closing an HTTP server', () => {
  it('waits for a request in flight and cuts nothing', async () => {
    const { status } = await ask();
    const closing = close(5_000);
    setTimeout(() => waiting[0]!.end('late'), 100);
    expect(await closing).toBe(false);
    expect(await status).toBe(200);
  });

  it('does not wait for a connection that never carried a request', async () => {
    const ahead = connect(port, '127.0.0.1');
    await once(ahead, 'connect');
    await new Promise((resolve) => setTimeout(resolve, 20));
    const began = Date.now();
    expect(await close(5_000)).toBe(false);
    expect(Date.now() - began).toBeLessThan(1_000);
    ahead.destroy();
  });

  it('cuts what is still open when its time is over, and says so', async () => {
    const { status } = await ask();
    status.catch(() => undefined); // it is looked at below
    expect(await close(100)).toBe(true);
    await expect(status).rejects.toThrow();
  });
});
