import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { defineCall } from './define-call.js';

describe('defineCall', () => {
  it('takes the owner from the subject', () => {
    expect(defineCall('call.v1.catalog.load-skill', { input: z.object({}), output: z.object({}) }).owner).toBe('catalog');
  });

  it.each(['load-skill', 'event.v1.catalog.load-skill', 'call.v1.catalog', 'call.v1.catalog.load.skill', 'call.v1.*.load-skill'])(
    'refuses %s as a subject',
    (subject) => {
      expect(() => defineCall(subject, { input: z.object({}), output: z.object({}) })).toThrow('call.v1.<owner>.<verb-noun>');
    },
  );
});
