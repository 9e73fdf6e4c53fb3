import { describe, expect, it } from '@jest/globals';
import type { Span } from '@skillgate/backing/span';
import { collapseTrace } from './collapse-trace.js';

const span = (spanId: string, parentSpanId: string | null): Span => ({
  ...{ traceId: 't', spanId, parentSpanId, name: spanId, kind: 'internal', service: 's', startMs: 0, endMs: 1 },
  ...{ attributes: {}, events: [], links: [], status: { code: 'unset' } },
});

describe('a collapsed trace', () => {
  it('hangs each picked span under its nearest picked ancestor', () => {
    const spans = [span('a', null), span('b', 'a'), span('c', 'b'), span('d', 'c')];
    const picked = collapseTrace(spans, ({ name }) => name === 'a' || name === 'd');
    expect(picked.map(({ name, parentSpanId }) => [name, parentSpanId])).toEqual([
      ['a', null],
      ['d', 'a'],
    ]);
  });

  it('makes a span a root when nothing above it is picked', () => {
    expect(collapseTrace([span('a', null), span('b', 'a')], ({ name }) => name === 'b')).toEqual([expect.objectContaining({ parentSpanId: null })]);
  });
});
