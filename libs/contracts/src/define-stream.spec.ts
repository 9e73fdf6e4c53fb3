import { describe, expect, it } from '@jest/globals';
import { defineStream, type Stream } from './define-stream.js';
import { deadLetterStream, eventStream, streamsOf, turnStream } from './streams.js';
import { platformEdges } from './services/all.js';

const good: Omit<Stream, 'type'> = {
  name: 'EVENTS_X',
  owner: 'x',
  subjects: ['event.v1.x.>'],
  storage: 'file',
  maxBytes: 1,
  maxAgeMs: 1,
  discard: 'new',
  duplicateWindowMs: 1,
};

describe('defineStream', () => {
  it.each<[string, Partial<Stream>]>([
    ['a name with a dot', { name: 'EVENTS.X' }],
    ['no subject', { subjects: [] }],
    ['the subjects of calls, which it would answer', { subjects: ['call.v1.x.>'] }],
    ['every subject', { subjects: ['>'] }],
    ['every kind of subject', { subjects: ['*.v1.>'] }],
    ['no bound of bytes', { maxBytes: -1 }],
    ['no bound of age', { maxAgeMs: 0 }],
    ['a window longer than its age', { duplicateWindowMs: 2 }],
  ])('refuses %s', (_what, change) => {
    expect(() => defineStream({ ...good, ...change })).toThrow(/^Stream "/);
  });
});

describe('the streams of the house', () => {
  it('are named after their service', () => {
    expect(eventStream('executor-docs').name).toBe('EVENTS_EXECUTOR_DOCS');
    expect(deadLetterStream('catalog').subjects).toEqual(['dead.v1.catalog.>']);
  });

  it('follow from what a service emits, hears and declares', () => {
    expect(streamsOf({ service: 'x', serves: [], calls: [], emits: [], hears: [] })).toEqual([]);
    const names = platformEdges.flatMap((edges) => streamsOf(edges).map(({ name }) => name));
    expect(names).toEqual(expect.arrayContaining(['EVENTS_ACCOUNTS', 'DEAD_CATALOG', 'DEAD_REGISTRY', turnStream.name]));
    expect(new Set(names).size).toBe(names.length);
  });
});
