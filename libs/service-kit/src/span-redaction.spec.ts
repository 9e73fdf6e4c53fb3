import { describe, expect, it } from '@jest/globals';
import { SpanStatusCode } from '@opentelemetry/api';
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { RedactingProcessor } from './span-redaction.js';

describe('a span behind the redaction', () => {
  it('has no secret in name, attributes, lists, events, status or links, and is the same span otherwise', () => {
    const exporter = new InMemorySpanExporter();
    const tracer = new BasicTracerProvider({ spanProcessors: [new RedactingProcessor(new SimpleSpanProcessor(exporter))] }).getTracer(
      'spec',
    );
    const other = tracer.startSpan('other').spanContext();
    const span = tracer.startSpan('call sk-test-000', {
      attributes: {
        token: 'plain',
        list: ['sk-test-000', 'fine'],
        'url.full': 'https://x.example/cb?code=abc',
        'url.query': 'code=abc',
        'gen_ai.prompt': 'private words',
        'skillgate.grant.id': 'g1',
      },
      links: [{ context: other, attributes: { token: 'plain' } }],
    });
    span.addEvent('got sk-test-000', { url: 'https://x.example/cb?code=abc' });
    span.recordException(new Error('token=plain'));
    span.setStatus({ code: SpanStatusCode.ERROR, message: 'https://x.example/cb?code=abc' });
    span.end();

    const [told] = exporter.getFinishedSpans();
    expect(told!.attributes).toEqual({
      token: '[redacted]',
      list: ['[redacted]', 'fine'],
      'url.full': 'https://x.example/cb?[redacted]',
      'gen_ai.prompt': '[redacted]',
      'skillgate.grant.id': 'g1',
    });
    expect(told!.status).toEqual({ code: SpanStatusCode.ERROR, message: 'https://x.example/cb?[redacted]' });
    expect(told!.links).toEqual([expect.objectContaining({ context: other, attributes: { token: '[redacted]' } })]);
    expect(told!.events.map(({ name }) => name)).toEqual(['got [redacted]', 'exception']);
    expect(JSON.stringify([told!.name, told!.events])).not.toMatch(/plain|code=abc|sk-test/);
    expect(told!.spanContext()).toEqual(span.spanContext());
    expect(told!.duration[0] * 1e9 + told!.duration[1]).toBeGreaterThan(0);
    expect(told!.ended).toBe(true);
  });
});
