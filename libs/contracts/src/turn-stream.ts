import { z } from 'zod';
import { artifactRef } from './tool-call.js';

/** How a turn ended. */
export const turnOutcome = z.object({
  status: z.enum(['finished', 'failed', 'cancelled']),
  answer: z.string(),
  finishReason: z.enum(['stop', 'length', 'content_filter', 'error', 'cancelled']),
  error: z.object({ slug: z.string(), message: z.string(), correlationId: z.string().optional() }).nullable(),
  artifacts: z.array(artifactRef),
  usage: z.object({
    /** Sums over the turn's model calls, as the provider reported them or as counted here. */
    promptTokens: z.number().int().nonnegative(),
    completionTokens: z.number().int().nonnegative(),
    cachedTokens: z.number().int().nonnegative(),
  }),
});
export type TurnOutcome = z.infer<typeof turnOutcome>;

const progress = z.object({
  /** `thinking`, `loading`, `loaded`, `calling`, `called`, `withheld` … for people who wait. */
  stage: z.enum(['accepted', 'thinking', 'loading', 'loaded', 'refused', 'calling', 'called', 'working']),
  skill: z.string().optional(),
  tool: z.string().optional(),
  message: z.string(),
});

/**
 * What is published on `turn.v1.<turnId>`. `attempt` and `n` order the messages: a reader drops lower attempts, and
 * asks the journal when `n` has a gap.
 */
export const turnMessage = z.object({
  attempt: z.number().int().positive(),
  n: z.number().int().nonnegative(),
  body: z.discriminatedUnion('type', [
    z.object({ type: z.literal('delta'), text: z.string() }),
    z.object({ type: z.literal('progress'), progress }),
    z.object({ type: z.literal('artifact'), artifact: artifactRef }),
    z.object({ type: z.literal('ended'), outcome: turnOutcome }),
  ]),
});
export type TurnMessage = z.infer<typeof turnMessage>;
