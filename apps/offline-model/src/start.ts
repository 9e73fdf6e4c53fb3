import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { decide } from './decide/decide.js';
import { BadRequest, protocolError } from './protocol/bad-request.js';
import { parseChatRequest } from './protocol/chat-request.js';
import { complete, completionBody } from './protocol/reply.js';
import { streamChunks } from './protocol/stream-chunks.js';
import { readBody } from './read-body.js';

export const offlineModelId = 'skillgate-offline';

export interface OfflineModel {
  /** Base URL for a client of the protocol, `/v1` included. */
  url: string;
  stop(): Promise<void>;
}

export interface OfflineModelOptions {
  /** 0 or absent: a free port. */
  port?: number;
  host?: string;
  /** Milliseconds between two streamed pieces, for people who like to watch. */
  pauseMs?: number;
}

/** Starts the stand-in. Rejects when the port is taken. */
export async function startOfflineModel(options: OfflineModelOptions = {}): Promise<OfflineModel> {
  const host = options.host ?? '127.0.0.1';
  const server = createServer((request, response) => {
    answer(request, response, options.pauseMs ?? 0).catch((error: unknown) => fail(response, error));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, host, resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${port}/v1`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function answer(request: IncomingMessage, response: ServerResponse, pauseMs: number): Promise<void> {
  const path = new URL(request.url ?? '/', 'http://offline').pathname;
  if (path === '/v1/models' && request.method === 'GET') {
    return send(response, 200, { object: 'list', data: [{ id: offlineModelId, object: 'model', created: 0, owned_by: 'skillgate' }] });
  }
  if (path !== '/v1/chat/completions')
    return send(response, 404, protocolError(`There is no ${path} here; try /v1/chat/completions or /v1/models.`));
  if (request.method !== 'POST') return send(response, 405, protocolError(`${path} takes POST, not ${request.method}.`));

  const chat = parseChatRequest(await readBody(request));
  const completion = complete(chat, decide(chat));
  if (!chat.stream) return send(response, 200, completionBody(completion));
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' });
  for (const event of streamChunks(completion, chat.includeUsage)) {
    if (response.destroyed) return;
    response.write(event);
    if (pauseMs > 0) await wait(pauseMs);
  }
  response.end();
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

function fail(response: ServerResponse, error: unknown): void {
  if (error instanceof BadRequest) return send(response, 400, protocolError(error.message, { param: error.param }));
  // Ours to mend: the reason goes to the log, the caller learns that the fault is here.
  console.error('offline-model: request failed', error);
  if (response.headersSent) return void response.destroy();
  send(response, 500, protocolError('The offline stand-in failed; its log says why.', { type: 'server_error', code: 'internal' }));
}
