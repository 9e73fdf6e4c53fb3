import { z } from 'zod';
import { digest, executorName, toolEffect, toolName } from './words.js';

export const approvalId = z.uuid();

/** A call that waits for its user. */
export const pendingApproval = z.object({
  id: approvalId,
  callId: z.string(),
  tool: toolName,
  executor: executorName,
  profile: z.string(),
  /** `slug@version` of the skill that opened it. */
  skill: z.string(),
  effect: toolEffect,
  /** Exactly what will be sent. Absent where all of them together are too long for a message: ask for the approval itself. */
  arguments: z.record(z.string(), z.unknown()).optional(),
  argumentsHash: digest,
  askedAt: z.iso.datetime(),
});
export type PendingApproval = z.infer<typeof pendingApproval>;

/** A turn that waits: what was said until then, and what it waits for. */
export const waiting = z.object({
  answer: z.string(),
  approvals: z.array(pendingApproval),
  /** When the turn is given up if nobody has answered. */
  until: z.iso.datetime(),
  usage: z.object({
    promptTokens: z.number().int().nonnegative(),
    completionTokens: z.number().int().nonnegative(),
    cachedTokens: z.number().int().nonnegative(),
  }),
});
export type Waiting = z.infer<typeof waiting>;

/** What became of an approval in the route: who decided, and whether other arguments ran than were asked for. */
export const approvalStep = z.object({
  id: approvalId,
  decision: z.enum(['approved', 'edited', 'denied']),
  /** Id of the user. */
  by: z.string(),
  /** Of what the model asked for. */
  askedHash: digest,
  /** Of what the user approved; another one than `askedHash` after an edit. */
  argumentsHash: digest,
});
export type ApprovalStep = z.infer<typeof approvalStep>;
