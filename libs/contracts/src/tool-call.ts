import { z } from 'zod';
import { accountId, artifactId, jsonSchema, turnId } from './words.js';

/** Headers of `tool.v1.<executor>.<tool>`, beside those of every call. */
export const toolHeaders = { grant: 'grant', callId: 'call-id', turnId: 'turn-id' } as const;

export const artifactRef = z.object({
  id: artifactId,
  name: z.string(),
  /** Media type, as in RFC 6838. */
  mime: z.string(),
  bytes: z.number().int().nonnegative(),
});
export type ArtifactRef = z.infer<typeof artifactRef>;

/** Arguments are checked by the executor against the tool's schema; here they are only an object. */
export const toolRequest = z.object({ arguments: jsonSchema });

export const toolResult = z.object({
  /** What the model reads: JSON of the tool's output, or text. */
  content: z.unknown(),
  artifacts: z.array(artifactRef).default([]),
});
export type ToolResult = z.infer<typeof toolResult>;

/** Refusals that every executor built with the kit may answer with, beside the tool's own. */
export const executorRefusals = [
  'grant-missing',
  'grant-invalid',
  'grant-expired',
  'grant-audience',
  'grant-turn',
  'grant-tool',
  /** Of an older policy epoch than the executor has heard of; `details.policyEpoch` is the newer one. Ask for a new grant. */
  'grant-outdated',
  /** The grant is a user's yes to another call, or to other arguments. */
  'grant-call',
  'unknown-tool',
  'invalid-arguments',
  /** The call id stands for another call. */
  'call-id-reused',
  /** The call was settled as never run before it arrived: whoever sent it has lost its turn. */
  'call-settled',
  /** The instance that ran it went away in the middle: nobody knows what it did. */
  'call-unknown',
  'result-too-large',
  'tool-timeout',
  /** Of a write that was stopped after it had begun: `unavailable` would say that it may be repeated. */
  'cancelled',
  'deadline-passed',
  'draining',
] as const;

export const toolSubject = (executor: string, tool: string): string => `tool.v1.${executor}.${tool}`;
/** Whoever took a turn over asks here what became of a call with effects. */
export const settleSubject = (executor: string): string => `settle.v1.${executor}`;
export const announceSubject = (executor: string): string => `announce.v1.${executor}`;
export const progressSubject = (executor: string, turn: string): string => `progress.v1.${executor}.${turn}`;
export const cancelSubject = (service: string): string => `cancel.v1.${service}`;
export const turnSubject = (turn: string): string => `turn.v1.${turn}`;
/** Whoever reads a turn for a client answers here, with nothing; that nobody does, the broker says itself. */
export const readersSubject = (turn: string): string => `readers.v1.${turn}`;

export const settleRequest = z.object({ account: accountId, turn: turnId, callId: z.string() });
export type SettleRequest = z.infer<typeof settleRequest>;

/** An error as it is kept and passed on. */
export const recordedError = z.object({
  kind: z.enum(['refusal', 'unavailable', 'breach', 'defect']),
  slug: z.string(),
  message: z.string(),
  details: z.record(z.string(), z.unknown()).optional(),
});

/** What became of a call. All but `running` stand for good. */
export const settlement = z.discriminatedUnion('state', [
  z.object({ state: z.literal('done'), result: toolResult }),
  z.object({ state: z.literal('failed'), error: recordedError }),
  /** It had not arrived, and will be refused when it does. */
  z.object({ state: z.literal('never') }),
  /** It had begun, and its instance went away in the middle. */
  z.object({ state: z.literal('unknown') }),
  /** It still ran when the asker's deadline came near. */
  z.object({ state: z.literal('running') }),
]);
export type Settlement = z.infer<typeof settlement>;

/** Published on `progress.v1.<executor>.<turnId>` while a tool works; reaches the user's stream. */
export const toolProgress = z.object({ callId: z.string(), tool: z.string(), message: z.string().max(300), fraction: z.number().min(0).max(1).optional() });
export type ToolProgress = z.infer<typeof toolProgress>;
