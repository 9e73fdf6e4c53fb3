import { describe, expect, it } from '@jest/globals';
import { eventIdOf, readEventId, theEnd } from './event-id.js';

describe('the id of an event', () => {
  it.each([
    ['1.42', { attempt: 1, n: 42 }],
    [' 2.0 ', { attempt: 2, n: 0 }],
    ['0.0', { attempt: 0, n: 0 }],
    ['3.end', { attempt: 3, n: Infinity }],
  ])('%j is a place', (id, place) => {
    expect(readEventId(id, 'Last-Event-ID')).toEqual(place);
    expect(eventIdOf(place)).toBe(id.trim());
  });

  it.each([[undefined], ['']])('%j is no place yet', (id) => {
    expect(readEventId(id, 'Last-Event-ID')).toBeNull();
  });

  const wrong = ['1', '1.', '-1.2', '1.2.3', 'one.two', '1.2, 1.3', '1.1234567890', '1.END', ' ', ['1.2', '1.3'], { a: '1.2' }];
  it.each(wrong.map((id) => [id]))(
    '%j is refused with what to do',
    (id) => {
      expect(() => readEventId(id, 'last_event_id')).toThrow(
        expect.objectContaining({
          slug: 'invalid-event-id',
          message: expect.stringContaining('leave it out to read from the beginning'),
          details: { param: 'last_event_id' },
        }),
      );
    },
  );

  it('quotes no more than a piece of what was sent', () => {
    expect(() => readEventId('x'.repeat(10_000), 'Last-Event-ID')).toThrow(
      expect.objectContaining({ message: expect.stringMatching(/^.{0,300}$/) }),
    );
  });

  it('of an end is never that of attempt 0, which has not begun', () => {
    expect(eventIdOf(theEnd(0))).toBe('1.end');
  });
});
