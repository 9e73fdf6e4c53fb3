import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { eventIdOf } from './event-id.js';

describe('the id of an event that may be enqueued twice', () => {
  it('is the same for the same fact and another for another, wherever the parts are cut', () => {
    expect(eventIdOf('step', 'a', 1)).toBe(eventIdOf('step', 'a', 1));
    const others = [eventIdOf('step', 'a', 2), eventIdOf('step', 'a1'), eventIdOf('stepa', 1), eventIdOf('step', 'a', '1')];
    expect(new Set([eventIdOf('step', 'a', 1), ...others]).size).toBe(5);
  });

  it('is a UUID', () => {
    expect(z.uuid().parse(eventIdOf('x'))).toMatch(/^[0-9a-f-]{36}$/);
  });
});
