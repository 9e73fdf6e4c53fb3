import { describe, expect, it } from '@jest/globals';
import type { Span } from './span.js';
import { orphans, traceTree, type TraceNode } from './trace-tree.js';

const span = (spanId: string, parentSpanId: string | null, startMs = 0, traceId = 't1'): Span => ({
  traceId,
  spanId,
  parentSpanId,
  name: spanId,
  kind: 'internal',
  service: 'test',
  startMs,
  endMs: startMs + 1,
  attributes: {},
  events: [],
  links: [],
  status: { code: 'unset' },
});
const shape = (nodes: TraceNode[]): unknown[] =>
  nodes.map(({ span: { name }, children }) => (children.length ? [name, shape(children)] : name));

describe('the tree of a trace', () => {
  it('hangs children under parents by start time, in whatever order they arrived', () => {
    const spans = [span('c', 'b', 5), span('late', 'a', 9), span('b', 'a', 3), span('a', null, 1)];
    expect(shape(traceTree(spans))).toEqual([['a', [['b', ['c']], 'late']]]);
    expect(orphans(spans)).toEqual([]);
  });

  it('shows a span whose parent never came after the roots, and names it an orphan', () => {
    const spans = [span('lost', 'gone', 1), span('below', 'lost', 2), span('root', null, 3)];
    expect(shape(traceTree(spans))).toEqual(['root', ['lost', ['below']]]);
    expect(orphans(spans).map(({ name }) => name)).toEqual(['lost']);
  });

  it('does not take a parent from another trace', () => {
    const spans = [span('a', null, 1, 't1'), span('b', 'a', 2, 't2')];
    expect(orphans(spans).map(({ name }) => name)).toEqual(['b']);
  });

  it('counts a span that was delivered twice once', () => {
    expect(shape(traceTree([span('a', null), span('b', 'a'), span('b', 'a')]))).toEqual([['a', ['b']]]);
  });

  it('ends, and loses nothing, where spans are their own ancestors', () => {
    const spans = [span('a', 'b'), span('b', 'a'), span('self', 'self'), span('below', 'a')];
    expect(orphans(spans).map(({ name }) => name)).toEqual(['a', 'b', 'self']);
    expect(shape(traceTree(spans))).toEqual([['a', ['below']], 'b', 'self']);
  });
});
