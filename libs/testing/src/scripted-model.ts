import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { streamedAnswer, wholeAnswer } from './script-answer.js';
import type { ChatRequest, Script, ScriptStep } from './script.js';

export interface RecordedRequest {
  /** The exact text that was sent. */
  body: string;
  json: ChatRequest;
  headers: IncomingMessage['headers'];
  /** The client hung up before the answer was complete. */
  abandoned: boolean;
}

export interface ScriptedModel {
  /** Base URL for clients, ends in `/v1`. */
  readonly url: string;
  /** Every completion request, in order of arrival. */
  readonly requests: readonly RecordedRequest[];
  /** More steps, after those that are left. */
  extend(script: Script): void;
  /** @throws with every unexpected call, failed expectation and step that nobody asked for */
  assertConsumed(): void;
  close(): Promise<void>;
}

/**
 * A model that plays a script over the OpenAI protocol (`POST /v1/chat/completions`, `GET /v1/models`) on 127.0.0.1.
 *
 * Each call takes the next step. Any other call is answered with a 400, which no client repeats, and told by
 * `assertConsumed`, which every test calls at its end.
 */
export async function startScriptedModel(script: Script = [], options: { models?: readonly string[] } = {}): Promise<ScriptedModel> {
  const steps = [...script];
  const requests: RecordedRequest[] = [];
  const problems: string[] = [];
  let taken = 0;
  let toolCalls = 0;

  async function complete(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readBody(request);
    const json = JSON.parse(body) as ChatRequest;
    const record: RecordedRequest = { body, json, headers: request.headers, abandoned: false };
    response.once('close', () => (record.abandoned = !response.writableFinished));
    requests.push(record);
    const number = (taken += 1);
    const next = steps.shift();
    let step: ScriptStep;
    try {
      if (!next) throw new Error(`the script has ended; asked: ${JSON.stringify(json.messages?.at(-1))}`);
      step = typeof next === 'function' ? await next(json) : next;
      step.expect?.(json);
    } catch (error) {
      const problem = `call ${number}: ${(error as Error).message}`;
      problems.push(problem);
      return sendError(response, { status: 400, code: 'not_in_the_script', message: problem });
    }
    const head = { id: `chatcmpl-${number}`, model: json.model, callsBefore: toolCalls, requestLength: body.length };
    toolCalls += step.toolCalls?.length ?? 0;
    if (step.delayMs) await wait(step.delayMs);
    if (step.error) return sendError(response, step.error);
    if (step.cut === 0) return void response.destroy();
    if (!json.stream) return sendJson(response, 200, wholeAnswer(step, head));

    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
    let sent = 0;
    for (const chunk of streamedAnswer(step, head, json.stream_options?.include_usage ?? false)) {
      if (typeof chunk === 'function') await chunk();
      else await write(response, JSON.stringify(chunk));
      if (typeof chunk !== 'function') sent += 1;
      if (sent === step.cut) return void response.destroy();
      if (response.destroyed) return;
    }
    response.end('data: [DONE]\n\n');
  }

  const server = createServer((request, response) => {
    if (request.method === 'POST' && request.url === '/v1/chat/completions') {
      complete(request, response).catch((error: Error) => {
        problems.push(`the scripted model failed: ${error.message}`);
        response.destroy();
      });
    } else if (request.method === 'GET' && request.url === '/v1/models') {
      const data = (options.models ?? ['scripted-model']).map((id) => ({ id, object: 'model', created: 0, owned_by: 'skillgate' }));
      sendJson(response, 200, { object: 'list', data });
    } else {
      problems.push(`unexpected ${request.method} ${request.url}`);
      sendError(response, { status: 404, message: `a scripted model has no ${request.method} ${request.url}` });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    extend: (more) => void steps.push(...more),
    assertConsumed() {
      const left = steps.length ? [`${steps.length} of the script's steps were never asked for (${taken} calls came)`] : [];
      const all = [...problems, ...left];
      if (all.length) throw new Error(`the model's script was not played as written:\n- ${all.join('\n- ')}`);
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function readBody(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  return Buffer.concat(pieces).toString('utf8');
}

/** Waits for the bytes to leave: a `cut` that follows at once must not take this chunk with it. */
const write = (response: ServerResponse, data: string): Promise<void> =>
  new Promise((resolve) => {
    response.once('close', resolve);
    response.write(`data: ${data}\n\n`, () => {
      response.off('close', resolve);
      resolve();
    });
  });

function sendError(response: ServerResponse, error: NonNullable<ScriptStep['error']>): void {
  const { status, message = `scripted error ${status}`, code = null, retryAfterSeconds } = error;
  if (retryAfterSeconds !== undefined) response.setHeader('retry-after', String(retryAfterSeconds));
  sendJson(response, status, { error: { message, type: 'scripted', param: null, code } });
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}
