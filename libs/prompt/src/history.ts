import { z } from 'zod';
import { userContent } from '@skillgate/contracts/calls/orchestrator';
import { artifactId, digest, skillSlug } from '@skillgate/contracts/words';

/** Fields that a provider wants back as it sent them. Nobody here reads them, and no other model gets them. */
export const providerData = z.object({
  /** Id of the model that sent them. */
  model: z.string(),
  /** Beside the id and the function of the call. */
  call: z.record(z.string(), z.unknown()).optional(),
  /** Beside the answer's text; on its first call. */
  message: z.record(z.string(), z.unknown()).optional(),
});
export type ProviderData = z.infer<typeof providerData>;

/** A call as the model wrote it: the arguments may be anything. The id is ours. */
export const historyCall = z.object({ id: z.string(), name: z.string(), arguments: z.string(), provider: providerData.optional() });
export type HistoryCall = z.infer<typeof historyCall>;

/** An image in a result: its bytes are a file, never text. */
export const resultImage = z.object({ artifact: artifactId, name: z.string(), mime: z.string() });
export type ResultImage = z.infer<typeof resultImage>;

export const historySkill = z.object({
  slug: skillSlug,
  version: z.string(),
  digest,
  instructions: z.string(),
  /** `account`: written by the account's users, never at system authority. */
  source: z.enum(['platform', 'account']),
  /** `slug@version` that stands above and is no longer to be followed. */
  replaces: z.string().optional(),
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
  z.object({
    kind: z.literal('assistant'),
    text: z.string(),
    calls: z.array(historyCall).default([]),
    /** The client's transcript has it: no turn of this chat said it. */
    from: z.literal('client').optional(),
    /** Ids of those calls that the client was given: it may bring their results. */
    handed: z.array(z.string()).optional(),
  }),
  z.object({ kind: z.literal('result'), callId: z.string(), content: z.string(), images: z.array(resultImage).optional() }),
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
  /** Stands for what was said before it, when that did not fit any more. A model wrote it, from words of users, tools and strangers. */
  z.object({ kind: z.literal('summary'), text: z.string() }),
]);
export type HistoryItem = z.infer<typeof historyItem>;
export type AssistantItem = Extract<HistoryItem, { kind: 'assistant' }>;
export type ResultItem = Extract<HistoryItem, { kind: 'result' }>;
export type LoadedItem = Extract<HistoryItem, { kind: 'loaded' }>;

export const history = z.array(historyItem);
