import { createRequire, syncBuiltinESMExports } from 'node:module';
import type { IncomingMessage } from 'node:http';
import { context, metrics, propagation, SpanKind, trace, type Span } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { registerInstrumentations } from '@opentelemetry/instrumentation';
import { HttpInstrumentation } from '@opentelemetry/instrumentation-http';
import { PgInstrumentation } from '@opentelemetry/instrumentation-pg';
import type { ReadableSpan } from '@opentelemetry/sdk-trace-base';
import type { Log } from './log.js';
import { makeMeterRouting } from './meter-routing.js';
import { makeSpanRouting, serviceOf, type SpanRouting } from './span-routing.js';

let routing: SpanRouting | undefined;
export const meterRouting = makeMeterRouting();

/** Registers, once a process, all that OpenTelemetry wants to be global, and instruments http and pg. */
export function spanRouting(log: Log): SpanRouting {
  if (routing) return routing;
  routing = makeSpanRouting();
  const registered = [
    trace.setGlobalTracerProvider(routing),
    metrics.setGlobalMeterProvider(meterRouting),
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable()),
    propagation.setGlobalPropagator(new W3CTraceContextPropagator()),
  ];
  if (registered.includes(false)) log.warn('OpenTelemetry was set up by somebody else in this process: traces and metrics may be incomplete');
  registerInstrumentations({ tracerProvider: routing, instrumentations: [http(), pg()] });
  // Instrumentations wrap what is loaded by require. `import { createServer } from 'node:http'` sees it after the sync.
  const require = createRequire(import.meta.url);
  require('node:http');
  require('node:https');
  syncBuiltinESMExports();
  return routing;
}

/** Probes are no work, and a server that no service of ours opened (a test's, a stand-in's) is none of ours. */
export const isUntraced = ({ url }: Pick<IncomingMessage, 'url'>): boolean =>
  /^\/health(\/|\?|$)/.test(url ?? '') || serviceOf(context.active()) === undefined;

const http = (): HttpInstrumentation =>
  new HttpInstrumentation({
    requireParentforOutgoingSpans: true,
    ignoreIncomingRequestHook: isUntraced,
    applyCustomAttributesOnSpan: (span, request) => nameByRoute(span, request as RoutedRequest),
  });

interface RoutedRequest {
  readonly method?: string;
  readonly baseUrl?: string;
  /** Set by Express when a route took the request. */
  readonly route?: { readonly path?: unknown };
}

/** `GET /api/v1/turns/:id/route`, as the conventions for HTTP spans ask: few names, no ids. */
function nameByRoute(span: Span, { method, baseUrl = '', route }: RoutedRequest): void {
  if ((span as Span & Partial<ReadableSpan>).kind !== SpanKind.SERVER || typeof route?.path !== 'string') return;
  const path = `${baseUrl}${route.path}`;
  span.setAttribute('http.route', path);
  span.updateName(`${method} ${path}`);
}

const pg = (): PgInstrumentation =>
  new PgInstrumentation({
    requireParentSpan: true, // SQL at the start of a service would make traces of its own
    enhancedDatabaseReporting: false, // no values of parameters
    ignoreConnectSpans: true,
  });
