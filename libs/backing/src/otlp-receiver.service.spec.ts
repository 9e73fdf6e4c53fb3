import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { SpanKind, SpanStatusCode } from '@opentelemetry/api';
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { startOtlpReceiver, type OtlpReceiver } from './otlp-receiver.js';

let receiver: OtlpReceiver;
beforeAll(async () => {
  receiver = await startOtlpReceiver();
});
beforeEach(() => receiver.clear());
afterAll(() => receiver?.close());

const post = (path: string, type: string, body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) =>
  fetch(receiver.url + path, { method: 'POST', headers: { 'content-type': type, ...headers }, body });

describe('the OTLP receiver', () => {
  it('receives what the OpenTelemetry exporter sends', async () => {
    const exporter = new OTLPTraceExporter({ url: `${receiver.url}/v1/traces` });
    const provider = new BasicTracerProvider({
      resource: resourceFromAttributes({ 'service.name': 'catalog' }),
      spanProcessors: [new BatchSpanProcessor(exporter)],
    });
    const before = Date.now();
    const span = provider.getTracer('test').startSpan('load-skill', {
      kind: SpanKind.SERVER,
      attributes: { text: 'x', whole: 7, part: 0.5, yes: true, list: ['a', 'b'] },
      links: [{ context: { traceId: '1'.repeat(32), spanId: '2'.repeat(16), traceFlags: 1 } }],
    });
    span.addEvent('looked up', { rows: 1 });
    span.setStatus({ code: SpanStatusCode.ERROR, message: 'no such skill' });
    span.end();
    await provider.shutdown();

    const { traceId, spanId } = span.spanContext();
    const [seen] = receiver.trace(traceId);
    expect(seen).toMatchObject({
      traceId,
      spanId,
      parentSpanId: null,
      name: 'load-skill',
      kind: 'server',
      service: 'catalog',
      attributes: { text: 'x', whole: 7, part: 0.5, yes: true, list: ['a', 'b'] },
      events: [{ name: 'looked up', attributes: { rows: 1 } }],
      links: [{ traceId: '1'.repeat(32), spanId: '2'.repeat(16) }],
      status: { code: 'error', message: 'no such skill' },
    });
    expect(Math.abs((seen?.startMs ?? 0) - before)).toBeLessThan(1_000);
    const shown = (await (await fetch(`${receiver.url}/traces/${traceId}`)).json()) as { tree: unknown[]; orphans: unknown[] };
    expect(shown).toMatchObject({ traceId, tree: [{ span: { name: 'load-skill' }, children: [] }], orphans: [] });
  });

  it('reads compressed bodies', async () => {
    const span = { traceId: 'a', spanId: 'b', name: 'n', startTimeUnixNano: '1000', endTimeUnixNano: '2000' };
    const body = gzipSync(JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] })) as Uint8Array<ArrayBuffer>;
    const { status } = await post('/v1/traces', 'application/json', body, { 'content-encoding': 'gzip' });
    expect(status).toBe(200);
    expect(receiver.spans()).toMatchObject([{ name: 'n', service: 'unknown_service', startMs: 0.001 }]);
  });

  it('keeps the last value of each row of what the OpenTelemetry exporter sends of metrics', async () => {
    const exporter = new OTLPMetricExporter({ url: `${receiver.url}/v1/metrics` });
    const resource = resourceFromAttributes({ 'service.name': 'catalog', 'service.instance.id': 'one' });
    const provider = new MeterProvider({ resource, readers: [new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 60_000, exportTimeoutMillis: 5_000 })] });
    const meter = provider.getMeter('test');
    let pending = 7;
    meter.createObservableGauge('queue.pending', { unit: '{message}' }).addCallback((result) => result.observe(pending, { queue: 'a' }));
    const took = meter.createHistogram('took', { unit: 's' });
    meter.createCounter('done').add(2);
    took.record(0.5);
    await provider.forceFlush();
    pending = 3;
    took.record(0.25);
    const before = Date.now();
    await provider.shutdown();

    const from = { service: 'catalog', instance: 'one' };
    expect(receiver.metrics('queue')).toMatchObject([{ ...from, name: 'queue.pending', unit: '{message}', kind: 'gauge', attributes: { queue: 'a' }, value: 3 }]);
    expect(receiver.metrics('took')).toMatchObject([{ ...from, kind: 'histogram', value: 0.75, count: 2 }]);
    expect(receiver.metrics('done')).toMatchObject([{ ...from, kind: 'sum', value: 2 }]);
    expect(receiver.metrics('que')).toEqual([]);
    expect(receiver.metrics('done')[0]!.timeMs).toBeGreaterThanOrEqual(before - 1);
    const shown = (await (await fetch(`${receiver.url}/metrics-received?name=queue`)).json()) as { metrics: unknown[] };
    expect(shown.metrics).toEqual(receiver.metrics('queue'));
    expect(receiver.metrics()).toHaveLength(3);
  });

  it('says how to export as JSON when protobuf comes, to the exporter and to the terminal', async () => {
    const terminal = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
    const response = await post('/v1/traces', 'application/x-protobuf', new Uint8Array([10, 0]));
    const said = terminal.mock.calls.join();
    terminal.mockRestore();
    expect(response.status).toBe(415);
    expect(await response.text()).toContain('OTEL_EXPORTER_OTLP_PROTOCOL=http/json');
    expect(said).toContain('application/x-protobuf');
  });

  it('answers bad input and unknown addresses with a reason', async () => {
    expect((await post('/v1/traces', 'application/json', '{broken')).status).toBe(400);
    expect(await (await post('/v1/logs', 'application/json', '{}')).text()).toContain('only traces and metrics');
    expect((await post('/v1/metrics', 'application/json', '{broken')).status).toBe(400);
    expect((await fetch(`${receiver.url}/traces/none`)).status).toBe(404);
    expect(await (await fetch(`${receiver.url}/traces`)).json()).toEqual({ traces: [] });
  });

  it('names the spans that came when those that were waited for did not', async () => {
    await expect(receiver.until((spans) => spans.length > 0, 50)).rejects.toThrow('came: none');
  });
});
