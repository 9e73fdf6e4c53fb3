import { z } from 'zod';
import { defineEvent } from '../define-event.js';
import { turnOutcome } from '../turn-stream.js';
import { accountId, chatId, turnId, userId } from '../words.js';

/** What was asked and answered stays in the journal: events go to whoever counts and watches. */
const turn = { turn: turnId, chat: chatId, account: accountId, user: userId };

export const turnStarted = defineEvent('event.v1.orchestrator.turn-started', z.object({ ...turn, model: z.string(), at: z.iso.datetime() }));

export const turnEnded = defineEvent(
  'event.v1.orchestrator.turn-ended',
  z.object({
    ...turn,
    model: z.string(),
    status: turnOutcome.shape.status,
    /** Slug of the error of a turn that failed. */
    reason: z.string().nullable(),
    usage: turnOutcome.shape.usage,
    /** Milliseconds from start to end. */
    ms: z.number().nonnegative(),
    at: z.iso.datetime(),
  }),
);

/** One entry of the journal: a model call, a skill load or a tool call. */
export const turnStepFinished = defineEvent(
  'event.v1.orchestrator.turn-step-finished',
  z.object({
    ...turn,
    /** Place in the journal, from 0. */
    step: z.number().int().nonnegative(),
    kind: z.enum(['model', 'load', 'tool']),
    /** Model id, skill slug or tool name. */
    name: z.string(),
    /** As in the route: `loaded`, `refused`, `ok`, `failed` …; of a model call its finish reason. */
    decision: z.string(),
    ms: z.number().nonnegative(),
    at: z.iso.datetime(),
  }),
);

/** A user deleted a chat and all that was said in it: whoever keeps something for it lets go of it now. */
export const chatDeleted = defineEvent(
  'event.v1.orchestrator.chat-deleted',
  z.object({ chat: chatId, account: accountId, user: userId, at: z.iso.datetime() }),
);
