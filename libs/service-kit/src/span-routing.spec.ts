import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { context, ROOT_CONTEXT, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { serviceContextKey } from '@skillgate/wire/service-context';
import { makeSpanRouting } from './span-routing.js';

const exporter = new InMemorySpanExporter();
const provider = (service: string) =>
  new BasicTracerProvider({
    resource: resourceFromAttributes({ 'service.name': service }),
    spanProcessors: [new SimpleSpanProcessor(exporter)],
  });
const services = () => exporter.getFinishedSpans().map(({ resource }) => resource.attributes['service.name']);

const routing = makeSpanRouting();
const tracer = routing.getTracer('spec');
const gateway = provider('gateway');
const leaveCatalog = routing.add('catalog', provider('catalog'), false);
routing.add('gateway', gateway, true);

beforeAll(() => void context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable()));
afterAll(() => context.disable());
beforeEach(() => exporter.reset());

describe('a span', () => {
  it('belongs to the service that its context names', () => {
    tracer.startSpan('a', {}, ROOT_CONTEXT.setValue(serviceContextKey, 'catalog')).end();
    context.with(ROOT_CONTEXT.setValue(serviceContextKey, 'catalog'), () => tracer.startActiveSpan('b', (span) => span.end()));
    tracer.startActiveSpan('c', {}, ROOT_CONTEXT.setValue(serviceContextKey, 'catalog'), (span) => span.end());
    expect(services()).toEqual(['catalog', 'catalog', 'catalog']);
  });

  it('belongs to the service of its parent when the context names none', () => {
    const parent = routing.getTracer('spec').startSpan('parent', {}, ROOT_CONTEXT.setValue(serviceContextKey, 'catalog'));
    tracer.startSpan('child', {}, trace.setSpan(ROOT_CONTEXT, parent)).end();
    expect(services()).toEqual(['catalog']);
  });

  it('that starts in a bare context, as those of incoming http do, belongs to the service that opened the listener', () => {
    context.with(ROOT_CONTEXT.setValue(serviceContextKey, 'catalog'), () => tracer.startSpan('server', {}, ROOT_CONTEXT).end());
    expect(services()).toEqual(['catalog']);
  });

  it('of which nobody knows the service goes to the default', () => {
    tracer.startSpan('lost').end();
    tracer.startSpan('stranger', {}, ROOT_CONTEXT.setValue(serviceContextKey, 'unheard-of')).end();
    expect(services()).toEqual(['gateway', 'gateway']);
  });

  it('goes nowhere when no service runs', () => {
    expect(makeSpanRouting().getTracer('spec').startSpan('x').isRecording()).toBe(false);
  });

  it('of a service that left goes to the default', () => {
    leaveCatalog();
    tracer.startSpan('late', {}, ROOT_CONTEXT.setValue(serviceContextKey, 'catalog')).end();
    expect(services()).toEqual(['gateway']);
  });
});
