import type { Span } from '@skillgate/backing/span';

/** The spans that `telling` picks, each under its nearest picked ancestor: the same story with fewer lines. */
export function collapseTrace(spans: readonly Span[], telling: (span: Span) => boolean): Span[] {
  const known = new Map(spans.map((span) => [span.spanId, span]));
  const pickedAbove = (span: Span): string | null => {
    let above = known.get(span.parentSpanId ?? '');
    while (above && !telling(above)) above = known.get(above.parentSpanId ?? '');
    return above?.spanId ?? null;
  };
  return spans.filter(telling).map((span) => ({ ...span, parentSpanId: pickedAbove(span) }));
}
