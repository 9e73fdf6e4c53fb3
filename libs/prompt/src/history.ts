import { z } from 'zod';
import { userContent } from '@skillgate/contracts/calls/orchestrator';
import { digest, skillSlug } from '@skillgate/contracts/words';

/** A call as the model wrote it: the arguments may be anything. */
export const historyCall = z.object({ id: z.string(), name: z.string(), arguments: z.string() });
export type HistoryCall = z.infer<typeof historyCall>;

export const historySkill = z.object({
  slug: skillSlug,
  version: z.string(),
  digest,
  instructions: z.string(),
  /** `account`: written by the account's users, never at system authority. */
  source: z.enum(['platform', 'account']),
});
export type HistorySkill = z.infer<typeof historySkill>;

/**
 * One item of a chat, free of any vendor's shape, as it is stored. A round is an assistant's calls, one result for each call and the
 * skills that those calls loaded; store it whole, since what was sent once must never change.
 */
export const historyItem = z.discriminatedUnion('kind', [
  /** The date, the user: stands before the user's message it belongs to. */
  z.object({ kind: z.literal('facts'), text: z.string() }),
  z.object({ kind: z.literal('user'), content: userContent }),
  z.object({ kind: z.literal('assistant'), text: z.string(), calls: z.array(historyCall).default([]) }),
  z.object({ kind: z.literal('result'), callId: z.string(), content: z.string() }),
  z.object({
    kind: z.literal('loaded'),
    skills: z.array(historySkill),
    /** Slug to the call that loaded it; `always` skills have none. */
    callIds: z.record(z.string(), z.string()).default({}),
    /** Schemas of the tools that opened with these skills, rendered at that time; sent in plan `dispatch` alone. */
    schemas: z.string().optional(),
  }),
  /** Something changed in mid-chat: a skill was switched off, an integration connected. */
  z.object({ kind: z.literal('notice'), text: z.string() }),
]);
export type HistoryItem = z.infer<typeof historyItem>;
export type AssistantItem = Extract<HistoryItem, { kind: 'assistant' }>;
export type ResultItem = Extract<HistoryItem, { kind: 'result' }>;
export type LoadedItem = Extract<HistoryItem, { kind: 'loaded' }>;

export const history = z.array(historyItem);
