import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { context, propagation, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { BasicTracerProvider, InMemorySpanExporter, type ReadableSpan, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { defineCall } from '@skillgate/contracts/define-call';
import { defineEvent } from '@skillgate/contracts/define-event';
import { refuse, unavailable } from '@skillgate/contracts/refusal';
import { executorEdges } from '@skillgate/contracts/services/executor';
import { eventStream } from '@skillgate/contracts/streams';
import { z } from 'zod';
import { failure, startHouse, type TestHouse, until } from '../spec-support/house.js';
import { serviceContextKey, turnContextKey } from './service-context.js';
import type { Wire } from './wire.js';

const outer = defineCall('call.v1.middle.outer', { input: z.object({}), output: z.object({ contexts: z.array(z.unknown()) }) });
const inner = defineCall('call.v1.back.inner', { input: z.object({ fail: z.enum(['no', 'refuse', 'throw']) }), output: z.object({ turn: z.string().optional() }), perCaller: true });
const happened = defineEvent('event.v1.front.happened', z.object({}));

describe('the trace of calls over the wire', () => {
  let house: TestHouse;
  let front: Wire;
  let middle: Wire;
  const exporter = new InMemorySpanExporter();
  const tracer = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }).getTracer('spec');
  const span = (name: string): ReadableSpan => {
    const found = exporter.getFinishedSpans().find((each) => each.name === name);
    if (!found) throw new Error(`no span "${name}" among ${exporter.getFinishedSpans().map((each) => each.name).join(', ')}`);
    return found;
  };
  const inside = <T>(work: () => Promise<T>): Promise<T> => {
    const root = tracer.startSpan('root');
    return context.with(trace.setSpan(context.active(), root), work).finally(() => root.end());
  };

  beforeAll(async () => {
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
    propagation.setGlobalPropagator(new W3CTraceContextPropagator());
    house = await startHouse([
      { service: 'front', serves: [], calls: [outer], emits: [happened], hears: [], publishes: ['tool.v1.>', 'cancel.v1.*'] },
      { service: 'middle', serves: [outer], calls: [inner], emits: [], hears: [happened] },
      { service: 'back', serves: [inner], calls: [], emits: [], hears: [] },
      executorEdges('docs'),
    ]);
    const [back, docs] = await Promise.all([house.wire('back', tracer), house.wire('docs', tracer)]);
    [front, middle] = await Promise.all([house.wire('front', tracer), house.wire('middle', tracer)]);
    await back.serve(inner, async ({ fail }) => {
      if (fail === 'refuse') throw refuse('no', 'Ask for something else');
      if (fail === 'throw') throw new Error('swordfish');
      return { turn: context.active().getValue(turnContextKey) as string | undefined };
    }).ready;
    await middle.serve(outer, async (_input, { signal }) => {
      const { turn } = await middle.call(inner, { fail: 'no' }, { signal });
      return { contexts: [context.active().getValue(serviceContextKey), turn] };
    }).ready;
    await docs.serveTools('docs', async () => ({ content: 'ok' })).ready;
  });
  beforeEach(() => exporter.reset());
  afterAll(async () => {
    await house.stop();
    context.disable();
    propagation.disable();
  });

  it('runs from each caller to its callee, as one trace with the right parents', async () => {
    await inside(() => front.call(outer, {}));
    const chain = ['root', 'call call.v1.middle.outer', 'serve call.v1.middle.outer', 'call call.v1.back.inner', 'serve call.v1.back.inner'].map(span);
    for (const [at, child] of chain.entries()) {
      expect(child.spanContext().traceId).toBe(chain[0]?.spanContext().traceId);
      expect(child.parentSpanContext?.spanId).toBe(chain[at - 1]?.spanContext().spanId);
    }
    expect(chain.map(({ kind }) => kind)).toEqual([SpanKind.INTERNAL, SpanKind.CLIENT, SpanKind.SERVER, SpanKind.CLIENT, SpanKind.SERVER]);
    expect(exporter.getFinishedSpans()).toHaveLength(chain.length);
  });

  it('runs to the executor of a tool call', async () => {
    await inside(() => front.callTool('docs', 'docs_read_text', { arguments: {} }, { grant: 'g', callId: 'c', turnId: 't', deadlineMs: 1_000 }));
    const client = span('call tool.v1.docs.docs_read_text');
    expect(client.parentSpanContext?.spanId).toBe(span('root').spanContext().spanId);
    expect(span('serve tool.v1.docs.docs_read_text').parentSpanContext?.spanId).toBe(client.spanContext().spanId);
    expect(JSON.stringify(exporter.getFinishedSpans().map(({ attributes }) => attributes))).not.toContain('"g"');
  });

  it('tells a handler its service, and passes the turn on from call to call', async () => {
    const { contexts } = await front.call(outer, {}, { headers: { 'turn-id': 'turn-7' } });
    expect(contexts).toEqual(['middle', 'turn-7']);
  });

  it('marks refusals as answers and other failures as errors, without their messages', async () => {
    await failure(middle.call(inner, { fail: 'refuse' }));
    expect(span('call call.v1.back.inner')).toMatchObject({ status: { code: SpanStatusCode.UNSET }, attributes: { 'error.type': 'no' } });
    exporter.reset();
    const error = await failure(middle.call(inner, { fail: 'throw' }));
    for (const name of ['call call.v1.back.inner', 'serve call.v1.back.inner']) {
      expect(span(name)).toMatchObject({ status: { code: SpanStatusCode.ERROR, message: 'internal' }, attributes: { 'skillgate.error.kind': 'defect' } });
      expect(span(name).spanContext().traceId).toBe(error.correlationId);
    }
  });

  it('links each delivery of an event to its emitter, in a trace of its own, and to the delivery before', async () => {
    const heard: unknown[] = [];
    await front.reconcileStreams([eventStream('front')]);
    await middle.hear(happened, async (_payload, { attempt }) => {
      heard.push(context.active().getValue(serviceContextKey));
      if (attempt === 1) throw unavailable('not-now', 'Try again');
    }).ready;
    await inside(() => front.publishEvent(happened, {}, { id: 'once' }));
    const hearings = () => exporter.getFinishedSpans().filter(({ name }) => name === 'hear event.v1.front.happened');
    await until(() => hearings().length === 2);
    const emitted = span('emit event.v1.front.happened');
    expect(emitted.parentSpanContext?.spanId).toBe(span('root').spanContext().spanId);
    const [first, second] = hearings();
    expect([first, second].map((each) => each?.parentSpanContext)).toEqual([undefined, undefined]);
    expect([first, second].map((each) => each?.attributes['skillgate.delivery.attempt'])).toEqual([1, 2]);
    expect(first?.links.map((link) => link.context.spanId)).toEqual([emitted.spanContext().spanId]);
    expect(second?.links.map((link) => link.context.spanId)).toEqual([emitted.spanContext().spanId, first?.spanContext().spanId]);
    expect(heard).toEqual(['middle', 'middle']);
  });

  it('gives an event from an outbox the span of the work that caused it as its parent', async () => {
    const traceId = 'a'.repeat(32);
    await front.publishEvent(happened, {}, { id: 'later', headers: { traceparent: `00-${traceId}-${'b'.repeat(16)}-01` } });
    expect(span('emit event.v1.front.happened').spanContext().traceId).toBe(traceId);
    expect(span('emit event.v1.front.happened').parentSpanContext?.spanId).toBe('b'.repeat(16));
  });
});
