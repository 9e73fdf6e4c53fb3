import { context, ProxyTracerProvider, trace, type Context, type Tracer, type TracerProvider } from '@opentelemetry/api';
import type { ReadableSpan } from '@opentelemetry/sdk-trace-base';
import { serviceContextKey } from '@skillgate/wire/service-context';

/**
 * OpenTelemetry knows one provider a process; here each service has its own, with its own resource. This one is
 * registered globally, and gives each span to the service that it belongs to.
 */
export interface SpanRouting extends TracerProvider {
  /** @param isDefault takes the spans of which nobody knows the service. @returns how to take the service out again */
  add(service: string, provider: TracerProvider, isDefault: boolean): () => void;
}

interface Entry {
  readonly service: string;
  readonly provider: TracerProvider;
  readonly isDefault: boolean;
}

const nobody = new ProxyTracerProvider(); // its spans go nowhere

export function makeSpanRouting(): SpanRouting {
  let entries: readonly Entry[] = [];

  function providerFor(ctx: Context): TracerProvider {
    const service = serviceOf(ctx);
    // The newest of two instances of a service; their spans read alike.
    const own = entries.findLast((entry) => entry.service === service);
    return (own ?? entries.find(({ isDefault }) => isDefault) ?? entries[0])?.provider ?? nobody;
  }

  return {
    add: (service, provider, isDefault) => {
      const entry = { service, provider, isDefault };
      entries = [...entries, entry];
      return () => {
        entries = entries.filter((other) => other !== entry);
      };
    },
    getTracer: (name, version, options) => {
      // Asked for at each span, since services come and go; providers keep their tracers.
      const tracerFor = (ctx: Context) => providerFor(ctx).getTracer(name, version, options);
      return {
        startSpan: (span, spanOptions, ctx = context.active()) => tracerFor(ctx).startSpan(span, spanOptions, ctx),
        startActiveSpan: (span: string, ...rest: unknown[]) => {
          // (name, fn), (name, options, fn) or (name, options, context, fn)
          const ctx = rest.length === 3 ? (rest[1] as Context) : context.active();
          return (tracerFor(ctx).startActiveSpan as (...args: unknown[]) => unknown)(span, ...rest);
        },
      } as Tracer;
    },
  };
}

/**
 * The service whose code runs: named by the context, else by the span that it continues, else by what was active when the
 * listener or the timer was made. http starts its server spans in a context without any of our keys, hence the last.
 */
export function serviceOf(ctx: Context): string | undefined {
  const parent = trace.getSpan(ctx) as Partial<ReadableSpan> | undefined;
  const named =
    ctx.getValue(serviceContextKey) ?? parent?.resource?.attributes['service.name'] ?? context.active().getValue(serviceContextKey);
  return typeof named === 'string' ? named : undefined;
}
