import { describe, expect, it } from '@jest/globals';
import { skillSlug } from '@skillgate/contracts/words';
import { z } from 'zod';
import { plainWords } from './plain-words.js';
import { refuseIssues } from './refuse-issues.js';

const body = z.strictObject({
  state: z.enum(['always', 'never']).optional(),
  skills: z.record(skillSlug, z.string()).optional(),
  tags: z.array(z.string()).min(1).max(2).optional(),
  user: z.uuid().optional(),
  until: z.union([z.iso.datetime(), z.null()]).optional(),
  on: z.boolean().optional(),
  share: z.number().gt(0).optional(),
});

describe('a field at fault', () => {
  it.each<[unknown, string]>([
    [{ state: 'on' }, 'state: must be one of "always", "never".'],
    [{ skills: { 'Not a slug': 'x' } }, 'skills.Not a slug: must be lower-case letters and digits, with single hyphens between them'],
    [{ tags: [] }, 'tags: must have at least 1 entry.'],
    [{ tags: ['a', 'b', 'c'] }, 'tags: must have at most 2 entries.'],
    [{ tags: [1] }, 'tags[0]: must be a text.'],
    [{ user: 'ann' }, 'user: must be an id such as 3f2b8c1e-5d47-4a9b-8e60-1c2d3e4f5a6b.'],
    [{ until: 'soon' }, 'until: must be a time such as 2026-12-01T09:00:00Z.'],
    [{ on: 'yes' }, 'on: must be true or false.'],
    [{ share: 0 }, 'share: must be more than 0.'],
    ['hello', 'must be an object.'],
  ])('of %j is told in words for people', (sent, message) => {
    const { error } = body.safeParse(sent, { error: plainWords });
    expect(refuseIssues('invalid-body', error!).message).toBe(message);
  });
});
