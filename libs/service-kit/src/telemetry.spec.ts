import { describe, expect, it } from '@jest/globals';
import { context, trace } from '@opentelemetry/api';
import { ExportResultCode, type ExportResult } from '@opentelemetry/core';
import type { SpanExporter } from '@opentelemetry/sdk-trace-base';
import { makeLog } from './log.js';
import { startTelemetry } from './telemetry.js';
import { isHeard } from './told.js';
import { serviceOf } from './span-routing.js';
import { isUntraced } from './instrument.js';
import { watchExporter } from './watched-exporter.js';

const lines: { level: string; msg: string }[] = [];
const log = makeLog('spec', 'info', { write: (line) => void lines.push(JSON.parse(line) as { level: string; msg: string }) });

describe('telemetry without a receiver', () => {
  it('records nothing, and still gives each request a trace id to find it by in the logs', async () => {
    const telemetry = startTelemetry({ service: 'catalog', log });
    const span = telemetry.tracer.startSpan('x');
    expect(span.isRecording()).toBe(isHeard()); // a run of all tests keeps the spans itself
    expect(trace.isSpanContextValid(span.spanContext())).toBe(true);
    const child = telemetry.tracer.startSpan('y', {}, trace.setSpan(context.active(), span));
    expect(child.spanContext().traceId).toBe(span.spanContext().traceId);
    await telemetry.shutdown();
  });

  it('runs work as the service, across what the work awaits', async () => {
    const telemetry = startTelemetry({ service: 'catalog', log });
    const seen = await telemetry.inService(async () => {
      await new Promise((resolve) => setTimeout(resolve, 1));
      return serviceOf(context.active());
    });
    expect(seen).toBe('catalog');
    expect(serviceOf(context.active())).toBeUndefined();
    await telemetry.shutdown();
  });
});

describe('an incoming request', () => {
  const telemetry = startTelemetry({ service: 'catalog', log });
  it.each([
    ['/health/ready', true],
    ['/health/live?x=1', true],
    ['/healthy', false],
    ['/v1/models', false],
  ])('%s at a service: untraced is %s', (url, untraced) => {
    expect(telemetry.inService(() => isUntraced({ url }))).toBe(untraced);
  });

  it('at a server that no service opened is not traced', () => {
    expect(isUntraced({ url: '/v1/models' })).toBe(true);
  });
});

describe('a receiver that is away', () => {
  it('is told of once when spans begin to be lost, and once when they arrive again', () => {
    let result: ExportResult = { code: ExportResultCode.FAILED, error: new Error('ECONNREFUSED') };
    const exporter = watchExporter({ export: (_, done) => done(result), shutdown: async () => undefined } as SpanExporter, 'http://r', log);
    const send = () => exporter.export([{}, {}] as never, () => undefined);
    const before = lines.length;
    [send, send, send].forEach((each) => each());
    result = { code: ExportResultCode.SUCCESS };
    [send, send].forEach((each) => each());
    expect(lines.slice(before).map(({ level, msg }) => `${level}: ${msg}`)).toEqual([
      'warn: traces do not reach http://r: spans are lost until it answers',
      'info: traces reach http://r again; 6 spans were lost',
    ]);
  });
});
