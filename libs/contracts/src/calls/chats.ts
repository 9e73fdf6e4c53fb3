import { z } from 'zod';
import { auditCursor } from '../audit.js';
import { authority, authorityRefusals } from '../authority.js';
import { defineCall } from '../define-call.js';
import { nameOfAtMost, plainText } from '../plain-text.js';
import { personaRef } from '../tokens.js';
import { turnOutcome } from '../turn-stream.js';
import { artifactId, chatId, jws, skillSlug, turnId } from '../words.js';
import { userContent } from './orchestrator.js';

// Chats as their user has them. All of these see the chats of the ticket's user and nobody else's: an admin reads nobody's words.

/** When a chat was last used and which it is, written as the cursors of audit logs are. */
export const chatCursor = auditCursor;

/** Characters of a title. */
export const longestTitle = 200;

export const chatSummary = z.object({
  chat: chatId,
  /** As the user named it, else the beginning of what was asked first; empty while nothing was. */
  title: z.string(),
  /** Did the user name it? */
  named: z.boolean(),
  model: z.string(),
  persona: personaRef.nullable(),
  createdAt: z.iso.datetime(),
  /** When its last turn began. */
  lastTurnAt: z.iso.datetime(),
  turns: z.number().int().nonnegative(),
});
export type ChatSummary = z.infer<typeof chatSummary>;

const refusals = ['ticket-invalid', 'ticket-expired'];

/** The last used first. */
export const listChats = defineCall('call.v1.orchestrator.list-chats', {
  input: z.object({ ticket: jws, before: chatCursor.optional(), limit: z.number().int().min(1).max(200).default(50) }),
  output: z.object({ chats: z.array(chatSummary), next: chatCursor.nullable().describe('Give it as `before` for what was used earlier.') }),
  refusals,
});

export const chatPassage = z.object({
  chat: chatId,
  title: z.string(),
  turn: turnId.nullable().describe('The turn in which it was said; null where the title alone was found.'),
  by: z.enum(['user', 'assistant', 'title']),
  snippet: z.string().describe('What was said around the words that were found, as plain text.'),
  at: z.iso.datetime().describe('When that turn began.'),
});
export type ChatPassage = z.infer<typeof chatPassage>;

/** Chats in which these words were said, the best passage of each. Words are found in any of their forms, in the languages of `libs/search`. */
export const searchChats = defineCall('call.v1.orchestrator.search-chats', {
  input: z.object({ ticket: jws, query: plainText(1, 500), limit: z.number().int().min(1).max(50).default(10) }),
  output: z.object({
    passages: z.array(chatPassage),
    complete: z.boolean().describe('False while the oldest chats have not been read yet: the same question a little later finds more.'),
    skipped: z
      .array(z.object({ word: z.string(), languages: z.array(z.string()).describe('By their codes: `en`, `de`.') }))
      .optional()
      .describe('Words of the query that stand in nearly every text of these languages and are not searched in them. Absent: none.'),
  }),
  refusals,
  deadlineMs: 15_000, // the first search of a user reads all that was said before
});

export const renameChat = defineCall('call.v1.orchestrator.rename-chat', {
  input: z.object({
    authority: authority.optional(),
    chat: chatId,
    /** Null gives back the one that the chat has by itself. */
    title: nameOfAtMost(longestTitle).nullable(),
  }),
  output: chatSummary,
  refusals: ['unknown-chat', ...authorityRefusals],
});

/** With all that was said in it, its routes, and by the event `chat-deleted` what other services keep for it. */
export const deleteChat = defineCall('call.v1.orchestrator.delete-chat', {
  input: z.object({ authority: authority.optional(), chat: chatId }),
  output: z.object({ chat: chatId, deleted: z.literal(true) }),
  refusals: ['unknown-chat', 'turn-in-progress', ...authorityRefusals],
});

/** One message of an exported chat, in the order in which they stand in it. */
export const exportedMessage = z.discriminatedUnion('role', [
  z.object({ role: z.literal('user'), content: userContent }),
  z.object({
    role: z.literal('assistant'),
    content: z.string(),
    calls: z.array(z.object({ id: z.string(), name: z.string(), arguments: z.string().describe('As the model wrote them: JSON, as a rule.') })),
  }),
  z.object({
    role: z.literal('tool').describe('What a call brought.'),
    callId: z.string(),
    content: z.string(),
    images: z.array(z.object({ artifact: artifactId, name: z.string(), mime: z.string() })),
  }),
  z.object({
    role: z.literal('skills').describe('Skills whose instructions the model was given here; their texts are no part of the chat.'),
    skills: z.array(z.object({ slug: skillSlug, version: z.string(), digest: z.string() })),
  }),
  z.object({ role: z.literal('notice').describe('What the house or the client told the model beside it: the date, a change of rights.'), content: z.string() }),
]);
export type ExportedMessage = z.infer<typeof exportedMessage>;

export const exportedTurn = z.object({
  turn: turnId,
  model: z.string(),
  status: z.string().describe('`finished`, `failed`, `cancelled`; `running` where it was still at work.'),
  startedAt: z.iso.datetime(),
  endedAt: z.iso.datetime().nullable(),
  usage: turnOutcome.shape.usage.nullable(),
  artifacts: turnOutcome.shape.artifacts.describe('Files that its tools made.'),
  messages: z.array(exportedMessage),
});
export type ExportedTurn = z.infer<typeof exportedTurn>;

/** Part of a chat, in the order in which it was said. A turn that was begun on the page before goes on under the same id. */
export const exportChat = defineCall('call.v1.orchestrator.export-chat', {
  input: z.object({ ticket: jws, chat: chatId, from: z.number().int().nonnegative().default(0) }),
  output: z.object({
    about: chatSummary,
    turns: z.array(exportedTurn),
    /** Where the next page begins. */
    next: z.number().int().nonnegative().nullable(),
  }),
  refusals: [...refusals, 'unknown-chat'],
});

/** A whole chat. This form only ever gets new fields and new roles; what would change one is another format. */
export const chatExport = z.object({
  format: z.literal('skillgate.chat/1'),
  exportedAt: z.iso.datetime(),
  ...chatSummary.omit({ turns: true }).shape,
  turns: z.array(exportedTurn),
});
export type ChatExport = z.infer<typeof chatExport>;
