import { z } from 'zod';
import { defineEvent } from '../define-event.js';
import { digest, executorName, profileName, toolEffect, toolName } from '../words.js';

/** The first instance of an executor was heard. */
export const executorJoined = defineEvent(
  'event.v1.registry.executor-joined',
  z.object({ executor: executorName, version: z.string(), at: z.iso.datetime() }),
);

/** The last instance of an executor said goodbye or fell silent. */
export const executorLeft = defineEvent(
  'event.v1.registry.executor-left',
  z.object({ executor: executorName, why: z.enum(['leaving', 'silent']), at: z.iso.datetime() }),
);

/**
 * Every tool of the executor that stands approved now, not only the new ones: the last event of an executor is the whole
 * truth about it. `approvedAt` tells the newer of two.
 */
export const manifestApproved = defineEvent(
  'event.v1.registry.manifest-approved',
  z.object({
    executor: executorName,
    tools: z.array(z.object({ name: toolName, profile: profileName, effect: toolEffect, schemaDigest: digest })),
    by: z.string(),
    approvedAt: z.iso.datetime(),
  }),
);
