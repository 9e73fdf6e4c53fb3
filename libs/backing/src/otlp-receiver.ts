import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { KeptMetrics } from './kept-metrics.js';
import type { Metric } from './metric.js';
import { type OtlpMetrics, type OtlpTraces, readOtlp, readOtlpMetrics } from './read-otlp.js';
import type { Span } from './span.js';
import { orphans, traceTree } from './trace-tree.js';

export interface OtlpReceiver {
  /** For OTEL_EXPORTER_OTLP_ENDPOINT; exporters add `/v1/traces` and `/v1/metrics`. */
  readonly url: string;
  /** In order of arrival: children mostly stand before their parents. */
  spans(): Span[];
  trace(traceId: string): Span[];
  /** Waits until the spans so far satisfy `enough`; exporters deliver in batches. @throws after `timeoutMs`, with the names that came */
  until(enough: (spans: Span[]) => boolean, timeoutMs?: number): Promise<Span[]>;
  /** The last value of each row of the instrument `name`, or of those whose names begin with `name.`; of all unless given. */
  metrics(name?: string): Metric[];
  clear(): void;
  close(): Promise<void>;
}

/** Beyond it the oldest go: a development stack may run for days. */
const mostSpans = 50_000;

/**
 * Receives traces and metrics by OTLP/HTTP as JSON on 127.0.0.1 and keeps them in memory, for tests and for `bin/dev`.
 * `GET /traces` lists trace ids, `GET /traces/<id>` answers with the spans, the tree and the orphans of one,
 * `GET /metrics-received?name=skillgate.consumer` with the last values.
 */
export async function startOtlpReceiver(options: { port?: number } = {}): Promise<OtlpReceiver> {
  let kept: Span[] = [];
  const metrics = new KeptMetrics();
  const keepSpans = (spans: Span[]) => void (kept = [...kept, ...spans].slice(-mostSpans));
  const server = createServer((request, response) => {
    void answer(request, { spans: () => kept, keepSpans, metrics })
      .catch((error: Error) => ({ status: 400, body: { message: `not an OTLP request: ${error.message}` } }))
      .then(({ status, body }) => reply(response, status, body));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans: () => [...kept],
    trace: (traceId) => kept.filter((span) => span.traceId === traceId),
    async until(enough, timeoutMs = 5_000) {
      const deadline = Date.now() + timeoutMs;
      while (!enough(kept)) {
        if (Date.now() > deadline) {
          const came = [...new Set(kept.map(({ service, name }) => `${service}: ${name}`))].join(', ') || 'none';
          throw new Error(`not the spans that were waited for within ${timeoutMs} ms; came: ${came}`);
        }
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      return [...kept];
    },
    metrics: (name) => metrics.read(name),
    clear: () => {
      kept = [];
      metrics.clear();
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections(); // exporters keep theirs alive
      }),
  };
}

interface Answer {
  status: number;
  body: unknown;
}

interface Kept {
  spans(): Span[];
  keepSpans(spans: Span[]): void;
  readonly metrics: KeptMetrics;
}

async function answer(request: IncomingMessage, { spans, keepSpans, metrics }: Kept): Promise<Answer> {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://receiver');
  if (request.method === 'GET') {
    if (pathname === '/metrics-received') return { status: 200, body: { metrics: metrics.read(searchParams.get('name') ?? '') } };
    return show(pathname, spans());
  }
  const body = await readBody(request);
  const wanted = ['/v1/traces', '/v1/metrics'];
  if (!wanted.includes(pathname)) return { status: 404, body: { message: `only traces and metrics are received here, not ${pathname}` } };
  const type = request.headers['content-type'] ?? 'nothing';
  if (!type.startsWith('application/json')) {
    // Exporters swallow the answer, so that the reason for a missing trace also stands where people look.
    const message =
      `${pathname} got ${type}, and only application/json is read here: ` +
      'use OTEL_EXPORTER_OTLP_PROTOCOL=http/json or the packages exporter-trace-otlp-http and exporter-metrics-otlp-http';
    process.stderr.write(`${message}\n`);
    return { status: 415, body: { message } };
  }
  if (pathname === '/v1/traces') keepSpans(readOtlp(JSON.parse(body) as OtlpTraces));
  else metrics.keep(readOtlpMetrics(JSON.parse(body) as OtlpMetrics));
  return { status: 200, body: {} };
}

function show(pathname: string, spans: Span[]): Answer {
  const [, room, traceId] = pathname.split('/');
  if (room !== 'traces') return { status: 404, body: { message: 'try GET /traces, GET /traces/<trace id> or GET /metrics-received?name=skillgate.consumer' } };
  if (!traceId) return { status: 200, body: { traces: [...new Set(spans.map((span) => span.traceId))].reverse() } };
  const found = spans.filter((span) => span.traceId === traceId);
  if (found.length === 0) return { status: 404, body: { message: `no span of trace ${traceId} has arrived (yet)` } };
  return { status: 200, body: { traceId, spans: found, tree: traceTree(found), orphans: orphans(found) } };
}

async function readBody(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  const bytes = Buffer.concat(pieces);
  return (request.headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes).toString('utf8');
}

function reply(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}
