import type { Span } from './span.js';

export interface TraceNode {
  span: Span;
  /** By start time. */
  children: TraceNode[];
}

const keyOf = (traceId: string, spanId: string): string => `${traceId}/${spanId}`;

/** An exporter that tries again may deliver a span twice. */
const distinct = (spans: readonly Span[]): Map<string, Span> => new Map(spans.map((span) => [keyOf(span.traceId, span.spanId), span]));

const byStart = (a: TraceNode, b: TraceNode): number => a.span.startMs - b.span.startMs || a.span.endMs - b.span.endMs;

/**
 * Spans as trees, by start time: the roots first, then what hangs on nothing (`orphans`), so that every span is in
 * there once.
 */
export function traceTree(spans: readonly Span[]): TraceNode[] {
  const known = distinct(spans);
  const lost = new Set(orphans(spans));
  const nodes = new Map([...known].map(([key, span]) => [key, { span, children: [] as TraceNode[] }]));
  const tops: TraceNode[] = [];
  for (const node of nodes.values()) {
    const { traceId, parentSpanId } = node.span;
    const parent = parentSpanId === null || lost.has(node.span) ? undefined : nodes.get(keyOf(traceId, parentSpanId));
    (parent?.children ?? tops).push(node);
  }
  for (const node of nodes.values()) node.children.sort(byStart);
  return tops.sort((a, b) => Number(lost.has(a.span)) - Number(lost.has(b.span)) || byStart(a, b));
}

/**
 * Spans that name a parent which never arrived, or which lead back to themselves. A trace without holes has none. The
 * first span of a trace that somebody else began (an incoming `traceparent`) counts as one too.
 */
export function orphans(spans: readonly Span[]): Span[] {
  const known = distinct(spans);
  const parentOf = (span: Span) => (span.parentSpanId === null ? undefined : known.get(keyOf(span.traceId, span.parentSpanId)));
  return [...known.values()].filter((span) => {
    if (span.parentSpanId !== null && !parentOf(span)) return true;
    const seen = new Set<Span>();
    for (let above = parentOf(span); above && !seen.has(above); above = parentOf(above)) {
      if (above === span) return true;
      seen.add(above);
    }
    return false;
  });
}
