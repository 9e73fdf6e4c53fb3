import { z } from 'zod';
import { approvalId, pendingApproval, waiting } from '../approval.js';
import { defineAuditCall } from '../audit.js';
import { authority, authorityRefusals } from '../authority.js';
import { defineCall } from '../define-call.js';
import { recognition, route } from '../route.js';
import { personaRef } from '../tokens.js';
import { alwaysLoad } from './catalog.js';
import { clientCall, turnOutcome } from '../turn-stream.js';
import { recordedError, toolResult } from '../tool-call.js';
import { accountId, artifactId, chatId, digest, jsonSchema, jws, skillStates, toolName, turnId } from '../words.js';
import { heldGrant } from './registry.js';

/** One message of the user's side of a conversation, as the public API takes it. */
export const userContent = z.union([
  z.string(),
  z.array(
    z.discriminatedUnion('type', [
      z.object({ type: z.literal('text'), text: z.string() }),
      z.object({ type: z.literal('image_url'), image_url: z.object({ url: z.string(), detail: z.string().optional() }) }),
    ]),
  ),
]);

export const incomingMessage = z.object({
  role: z.enum(['system', 'developer', 'user', 'assistant']),
  content: userContent,
  /** Of the assistant: calls of the client's own tools, as the client got them. */
  calls: z.array(clientCall).optional(),
  /** This is no word of the user but what the client's tool answered to the call of that id. */
  resultOf: z.string().optional(),
});
export type IncomingMessage = z.infer<typeof incomingMessage>;

/** Passed on to the model as given. */
export const samplingOptions = z.object({
  temperature: z.number().optional(),
  top_p: z.number().optional(),
  max_completion_tokens: z.number().int().positive().optional(),
  stop: z.union([z.string(), z.array(z.string())]).optional(),
  seed: z.number().int().optional(),
  presence_penalty: z.number().optional(),
  frequency_penalty: z.number().optional(),
  logit_bias: z.record(z.string(), z.number()).optional(),
  response_format: z.record(z.string(), z.unknown()).optional(),
  parallel_tool_calls: z.boolean().optional(),
  reasoning_effort: z.string().optional(),
  verbosity: z.string().optional(),
});
export type SamplingOptions = z.infer<typeof samplingOptions>;

/** A tool that the client runs itself: the model may call it, and its calls end the request. */
export const clientTool = z.object({
  name: z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/),
  description: z.string().optional(),
  parameters: jsonSchema.optional(),
  strict: z.boolean().optional(),
});
export type ClientTool = z.infer<typeof clientTool>;

/** Must the model call a tool: none, as it likes, any of them, or the one of that name. */
export const toolChoice = z.union([z.enum(['none', 'auto', 'required']), z.object({ name: z.string() })]);
export type ToolChoice = z.infer<typeof toolChoice>;

export const startTurn = defineCall('call.v1.orchestrator.start-turn', {
  input: z.object({
    ticket: jws,
    /** Model id as in `/v1/models`; absent means the operator's default. */
    model: z.string().optional(),
    /** The whole conversation of a stateless client; of a stateful chat what came behind its last answer, the user's message last. */
    messages: z.array(incomingMessage).min(1),
    /** True when the chat named in the ticket already holds the history. */
    stateful: z.boolean(),
    artifacts: z.array(artifactId).default([]),
    sampling: samplingOptions.default({}),
    clientTools: z.array(clientTool).max(128).optional(),
    toolChoice: toolChoice.optional(),
    /** Of a stateless client: how its chat was found, and the hash of all that it sent; see transcript-hash.ts. */
    transcript: recognition
      .extend({
        hash: digest,
        /** The turn that was the chat's last when it was found. */
        after: turnId.optional(),
      })
      .optional(),
    /** The same key is the same request for a day: the turn that it began answers. Per user. */
    idempotency: z.object({ key: z.string().min(1).max(255), digest }).optional(),
  }),
  output: z.object({
    turn: turnId,
    chat: chatId,
    model: z.string(),
    /** Options that the model's endpoint does not take and that were left out, by their names. */
    dropped: z.array(z.string()).optional(),
    /** An earlier request of the same key began this turn. */
    replayed: z.boolean().optional(),
  }),
  refusals: [
    ...['ticket-invalid', 'ticket-expired', 'turn-in-progress', 'unknown-model', 'unknown-chat', 'empty-conversation', 'unknown-persona'],
    ...['unknown-artifact', 'artifact-incomplete', 'bad-authority', 'unsupported-option', 'tool-name-reserved', 'unknown-tool-call'],
    /** The chat has gone on since it was found: ask anew. */
    ...['chat-moved', 'idempotency-key-reused'],
    /** With `limit`, `used` and `resetsAt` in their details, and the time to wait. */
    ...['turns-a-day-reached', 'tokens-a-day-reached', 'parallel-turns-reached'],
  ],
});

/** Which chat a stateless client goes on with, by what it sends of it. */
export const findChat = defineCall('call.v1.orchestrator.find-chat', {
  input: z.object({
    authority,
    /** Hashes of the beginnings of the transcript that end with an answer, shortest first. */
    beginnings: z.array(digest).min(1).max(500),
  }),
  output: recognition.extend({ /** Of a chat that goes on. */ chat: chatId.optional(), after: turnId.optional() }),
  refusals: [...authorityRefusals],
});

/** The journal's word on a turn: the truth when the stream was lost. */
export const getTurn = defineCall('call.v1.orchestrator.get-turn', {
  input: z.object({ ticket: jws, turn: turnId }),
  output: z.object({
    turn: turnId,
    chat: chatId,
    /** As `start-turn` answered it. */
    model: z.string().optional(),
    status: z.enum(['running', 'finished', 'failed', 'cancelled']).describe('`running` also while it waits for its user: then there is `waiting`, and it takes no place among `parallelTurns`.'),
    outcome: turnOutcome.nullable(),
    /** Of a turn whose calls wait for their user; its `status` is `running`. */
    waiting: waiting.optional(),
  }),
  refusals: ['ticket-invalid', 'ticket-expired', 'unknown-turn'],
});

export const getRoute = defineCall('call.v1.orchestrator.get-route', {
  input: z.object({ ticket: jws, turn: turnId }),
  output: route,
  refusals: ['ticket-invalid', 'ticket-expired', 'unknown-turn'],
});

/** A chat of the ticket's user; of any user of the account, or of another one, when the ticket's roles reach that far. */
export const getChat = defineCall('call.v1.orchestrator.get-chat', {
  input: z.object({ ticket: jws, chat: chatId, /** Default: the ticket's own. */ account: accountId.optional() }),
  output: z.object({ chat: chatId, model: z.string(), persona: personaRef.nullable(), epoch: z.number().int().nonnegative(), createdAt: z.iso.datetime() }),
  refusals: ['ticket-invalid', 'ticket-expired', 'unknown-chat'],
});

/** What the model would get at the head of the next turn, word for word: of the ticket's chat, if it names one, else of a new one. */
export const previewCatalog = defineCall('call.v1.orchestrator.preview-catalog', {
  input: z.object({ ticket: jws, model: z.string().optional() }),
  output: z.object({
    model: z.string(),
    persona: personaRef.nullable(),
    toolsAllowed: z.boolean(),
    /** The catalog between its marks; empty without tools. */
    block: z.string(),
    /** SHA-256 of the whole leading message. */
    hash: z.string(),
    /** True when it is what the chat has had since its epoch began, and not what a new chat would get. */
    frozen: z.boolean(),
    /** What would be appended, since the frozen block says otherwise. */
    notice: z.string().nullable(),
    /** In o200k. `base` with the words of the persona. */
    tokens: z.object({
      base: z.number().int().nonnegative(),
      catalog: z.number().int().nonnegative(),
      notice: z.number().int().nonnegative(),
      always: z.number().int().nonnegative(),
    }),
    budget: z.number().int().nonnegative(),
    /** How many skills have a full line, a shortened one, or none but their group's. All of them can be loaded. */
    lines: z.object({ full: z.number().int().nonnegative(), shortened: z.number().int().nonnegative(), grouped: z.number().int().nonnegative() }),
    always: alwaysLoad,
    warnings: z.array(z.string()),
  }),
  refusals: ['ticket-invalid', 'ticket-expired', 'unknown-model', 'unknown-chat', 'unknown-persona'],
});

export const cancelTurn = defineCall('call.v1.orchestrator.cancel-turn', {
  input: z.object({ ticket: jws, turn: turnId }),
  output: z.object({ status: z.enum(['cancelling', 'already-ended']) }),
  refusals: ['ticket-invalid', 'ticket-expired', 'unknown-turn'],
});

/** How much of one thing was used, of at most how much; null for no limit. */
const used = z.object({ used: z.number().int().nonnegative(), limit: z.number().int().nonnegative().nullable() });

/** What the ticket's account has used up since the last midnight of UTC, beside the limits in the ticket. */
export const getUsage = defineCall('call.v1.orchestrator.get-usage', {
  input: z.object({ ticket: jws }),
  output: z.object({
    /** Of UTC. */
    day: z.iso.date(),
    /** When the numbers of the day begin anew. */
    resetsAt: z.iso.datetime(),
    /** Running now, or ended today. */
    turns: used,
    /** Of models, input and output, of turns that have ended. */
    tokens: used,
    parallelTurns: used.describe('At work now. A turn that waits for its user takes no place, and goes on after the decision whatever the limit says.'),
  }),
  refusals: ['ticket-invalid', 'ticket-expired'],
});

export const listModels = defineCall('call.v1.orchestrator.list-models', {
  input: z.object({}),
  output: z.object({ models: z.array(z.object({ id: z.string(), contextTokens: z.number().int().positive(), usesTools: z.boolean() })), default: z.string() }),
});

/** A call that its user decides on, as its user sees it. */
export const approval = pendingApproval.extend({
  turn: turnId,
  chat: chatId,
  arguments: z.record(z.string(), z.unknown()),
  /** `withdrawn`: the turn ended without it. */
  status: z.enum(['pending', 'approved', 'edited', 'denied', 'withdrawn']),
  /** When the turn is given up if nobody has answered; null when it is decided. */
  until: z.iso.datetime().nullable(),
  decidedAt: z.iso.datetime().nullable(),
  /** What the user put in place of the arguments; null unless edited. */
  editedArguments: z.record(z.string(), z.unknown()).nullable(),
  reason: z.string().nullable(),
});
export type Approval = z.infer<typeof approval>;

/** Of the user who asks, newest first: those that wait, or all. */
export const listApprovals = defineCall('call.v1.orchestrator.list-approvals', {
  input: z.object({ authority, pendingOnly: z.boolean().default(true), limit: z.number().int().min(1).max(50).default(20) }),
  /** Without arguments where all of them together are too long for a message. */
  output: z.object({ approvals: z.array(approval.partial({ arguments: true, editedArguments: true })) }),
  refusals: authorityRefusals,
});

export const getApproval = defineCall('call.v1.orchestrator.get-approval', {
  input: z.object({
    authority,
    approval: approvalId,
    /** What its user wants in place of the arguments: while it waits, refused here for what `decide-approval` would refuse it for. */
    edit: z.record(z.string(), z.unknown()).optional(),
  }),
  /** With the skill states and the persona that the turn was asked with: its next ticket has them too. */
  output: z.object({ approval, offer: jws, overrides: skillStates, persona: personaRef.optional() }),
  refusals: ['unknown-approval', 'arguments-too-large', 'invalid-arguments', ...authorityRefusals],
});

/** What the user said of a call. The turn goes on when all of its calls are decided. */
export const decideApproval = defineCall('call.v1.orchestrator.decide-approval', {
  input: z.object({
    authority,
    /** Of the same user for the same turn: the turn goes on under it, since its own may have expired. */
    ticket: jws,
    approval: approvalId,
    decision: z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('approve'), grant: heldGrant }),
      /** The grant is for these arguments. */
      z.object({ kind: z.literal('edit'), grant: heldGrant, arguments: z.record(z.string(), z.unknown()) }),
      z.object({ kind: z.literal('deny'), reason: z.string().max(1_000).optional() }),
    ]),
  }),
  output: z.object({ approval, /** Calls of the turn that still wait. */ pending: z.number().int().nonnegative() }),
  refusals: ['unknown-approval', 'approval-decided', 'approval-unattended', 'arguments-too-large', 'invalid-arguments', ...authorityRefusals],
});

/** Milliseconds of the longest tool, and some for the way. */
const longestCallMs = 610_000;

/** One call outside of any chat, under a grant for it alone, which the registry gave to an operator: nothing is decided here. */
export const callTool = defineCall('call.v1.orchestrator.call-tool', {
  input: z.object({ grant: heldGrant, tool: toolName, arguments: jsonSchema, callId: z.string(), turn: turnId, timeoutMs: z.number().int().positive() }),
  output: z.object({
    ms: z.number().int().nonnegative(),
    /** What the tool gave, or why it did not. */
    outcome: z.union([z.object({ result: toolResult }), z.object({ error: recordedError })]),
  }),
  deadlineMs: longestCallMs,
});

export const listAudit = defineAuditCall('orchestrator');
