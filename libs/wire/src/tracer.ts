import {
  context,
  type Context,
  defaultTextMapSetter,
  propagation,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  type TextMapGetter,
  type TextMapSetter,
  trace,
  type Tracer,
} from '@opentelemetry/api';
import type { HouseError } from '@skillgate/contracts/refusal';
import type { MsgHdrs } from '@nats-io/transport-node';
import { serviceContextKey, turnContextKey } from './service-context.js';

/** Delegates to whatever provider is registered by the time a span starts. */
export const defaultTracer = (): Tracer => trace.getTracer('skillgate-wire');

const setter: TextMapSetter<MsgHdrs> = { set: (headers, key, value) => headers.set(key, value) };
const getter: TextMapGetter<MsgHdrs | undefined> = {
  keys: (headers) => headers?.keys() ?? [],
  get: (headers, key) => headers?.get(key) || undefined, // nats.js answers '' for an absent header
};

const attributes = (subject: string) => ({ 'messaging.system': 'nats', 'messaging.destination.name': subject });

/** Starts a span under whatever is active and writes it into `headers`. The caller ends it with `endSpan`. */
export const startOutgoing = (tracer: Tracer, subject: string, service: string, headers: MsgHdrs): Span =>
  startSending(tracer, `call ${subject}`, SpanKind.CLIENT, subject, context.active().setValue(serviceContextKey, service), headers, setter);

/** As `startOutgoing`, under the span that `origin` names: an event leaves its outbox after the work that caused it. */
export function startEmitting(tracer: Tracer, subject: string, service: string, origin: Readonly<Record<string, string>> = {}, headers: Record<string, string>): Span {
  const parent = origin.traceparent ? propagation.extract(ROOT_CONTEXT, origin) : context.active();
  return startSending(tracer, `emit ${subject}`, SpanKind.PRODUCER, subject, parent.setValue(serviceContextKey, service), headers, defaultTextMapSetter);
}

function startSending<C>(tracer: Tracer, name: string, kind: SpanKind, subject: string, parent: Context, headers: C, setter: TextMapSetter<C>): Span {
  const span = tracer.startSpan(name, { kind, attributes: attributes(subject) }, parent);
  propagation.inject(trace.setSpan(parent, span), headers, setter);
  return span;
}

/** Starts the callee's span with the caller's as its parent; run the handler in `context`. */
export function startServing(
  tracer: Tracer,
  subject: string,
  service: string,
  headers: MsgHdrs | undefined,
  turnId: string | undefined,
): { span: Span; context: Context } {
  let remote = propagation.extract(ROOT_CONTEXT, headers, getter).setValue(serviceContextKey, service);
  if (turnId) remote = remote.setValue(turnContextKey, turnId);
  const span = tracer.startSpan(`serve ${subject}`, { kind: SpanKind.SERVER, attributes: attributes(subject) }, remote);
  return { span, context: trace.setSpan(remote, span) };
}

export interface HearingFacts {
  readonly durable: string;
  /** 1 for the first delivery. */
  readonly attempt: number;
  /** The span of the delivery before this one, where this instance had it. */
  readonly before?: SpanContext;
}

/**
 * An event is heard in a trace of its own, linked to the one that emitted it: many may hear it, and much later. Each
 * delivery is a span with its number and a link to the one before.
 */
export function startHearing(
  tracer: Tracer,
  subject: string,
  service: string,
  headers: MsgHdrs | undefined,
  { durable, attempt, before }: HearingFacts,
): { span: Span; context: Context } {
  const emitter = trace.getSpanContext(propagation.extract(ROOT_CONTEXT, headers, getter));
  const root = ROOT_CONTEXT.setValue(serviceContextKey, service);
  const links = [emitter, before].flatMap((linked) => (linked ? [{ context: linked }] : []));
  const facts = { ...attributes(subject), 'messaging.consumer.group.name': durable, 'skillgate.delivery.attempt': attempt };
  const span = tracer.startSpan(`hear ${subject}`, { kind: SpanKind.CONSUMER, attributes: facts, links }, root);
  return { span, context: trace.setSpan(root, span) };
}

/** Refusals are answers, not errors. Messages stay out of spans: they may quote what a user wrote. */
export function endSpan(span: Span, error?: Pick<HouseError, 'kind' | 'slug'>): void {
  if (error) {
    span.setAttributes({ 'error.type': error.slug, 'skillgate.error.kind': error.kind });
    if (error.kind !== 'refusal') span.setStatus({ code: SpanStatusCode.ERROR, message: error.slug });
  }
  span.end();
}
