import { z } from 'zod';
import { skillPin } from '../calls/catalog.js';
import { defineEvent } from '../define-event.js';
import { skillRequirements } from '../tokens.js';

/** A version of a skill is usable from now on; an older one of it gives way. */
export const skillPublished = defineEvent(
  'event.v1.catalog.skill-published',
  skillPin.extend({ hidden: z.boolean(), requires: skillRequirements, publishedAt: z.iso.datetime() }),
);

/** A skill is neither listed nor loaded any more; chats that pinned the version keep their text. */
export const skillRetired = defineEvent('event.v1.catalog.skill-retired', skillPin.extend({ reason: z.string(), retiredAt: z.iso.datetime() }));
