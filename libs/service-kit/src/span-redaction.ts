import type { Attributes, AttributeValue, Context, Link } from '@opentelemetry/api';
import type { ReadableSpan, Span, SpanProcessor } from '@opentelemetry/sdk-trace-base';
import { redactText, redactUnder } from './redact.js';

/** Stands before every exporter: what passes on is a copy of the span without secrets. */
export class RedactingProcessor implements SpanProcessor {
  constructor(private readonly next: SpanProcessor) {}

  onStart(span: Span, parent: Context): void {
    this.next.onStart(span, parent);
  }

  onEnd(span: ReadableSpan): void {
    this.next.onEnd(redactSpan(span));
  }

  forceFlush(): Promise<void> {
    return this.next.forceFlush();
  }

  shutdown(): Promise<void> {
    return this.next.shutdown();
  }
}

export function redactSpan(span: ReadableSpan): ReadableSpan {
  const { status } = span;
  // The span stays the prototype: times and counters are getters over its private fields.
  return Object.create(span, {
    name: { value: redactText(span.name) },
    attributes: { value: redactAttributes(span.attributes) },
    status: { value: status.message === undefined ? status : { ...status, message: redactText(status.message) } },
    events: {
      value: span.events.map((event) => ({
        ...event,
        name: redactText(event.name),
        attributes: event.attributes && redactAttributes(event.attributes),
      })),
    },
    links: { value: span.links.map((link): Link => ({ ...link, attributes: link.attributes && redactAttributes(link.attributes) })) },
  }) as ReadableSpan;
}

/** A query may hold an OAuth code without any shape, so the whole attribute goes. */
const dropped: ReadonlySet<string> = new Set(['url.query']);

function redactAttributes(attributes: Attributes): Attributes {
  const kept = Object.entries(attributes).filter(([key]) => !dropped.has(key));
  return Object.fromEntries(kept.map(([key, value]) => [key, redactUnder(key, value) as AttributeValue]));
}
