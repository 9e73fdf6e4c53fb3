import { z } from 'zod';
import { waiting } from './approval.js';
import { artifactRef } from './tool-call.js';

/** A call of a tool that the client brought; the arguments are the model's text. */
export const clientCall = z.object({ id: z.string(), name: z.string(), arguments: z.string() });
export type ClientCall = z.infer<typeof clientCall>;

/** How a turn ended. */
export const turnOutcome = z.object({
  status: z.enum(['finished', 'failed', 'cancelled']),
  answer: z.string(),
  finishReason: z.enum(['stop', 'length', 'content_filter', 'error', 'cancelled']),
  error: z.object({ slug: z.string(), message: z.string(), correlationId: z.string().optional() }).nullable(),
  artifacts: z.array(artifactRef),
  /** Which limit of the turn the answer ends at; the answer says so too. */
  limit: z.enum(['steps', 'tokens', 'cost', 'time']).optional(),
  /** The turn ended by handing these to its client, who goes on with their results. */
  calls: z.array(clientCall).optional(),
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
  /** How far the tool's work is, 0 to 1, where it says so. */
  fraction: z.number().min(0).max(1).optional(),
  /** The turn waits for its user, and nothing follows under this attempt. */
  waiting: waiting.optional(),
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

/**
 * Is it a delta, exactly as `turnMessage` would give it back? Deltas are nearly all that is said in a turn, and this takes a
 * fraction of the schema's time. What it denies is for the schema to judge, as it may be another message.
 */
export function isExactDelta(value: unknown): value is TurnMessage {
  if (!hasFields(value, 3)) return false;
  const { attempt, n, body } = value;
  if (!Number.isSafeInteger(attempt) || (attempt as number) < 1 || !Number.isSafeInteger(n) || (n as number) < 0) return false;
  return hasFields(body, 2) && body.type === 'delta' && typeof body.text === 'string';
}

function hasFields(value: unknown, count: number): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return false;
  let left = count;
  for (const _ in value) left -= 1;
  return left === 0;
}

/** An instance that is being replaced says here that it gave turns away, so that the others look at once. */
export const handoverSubject = 'handover.v1.orchestrator';
export const handover = z.object({ turns: z.number().int().positive() });
