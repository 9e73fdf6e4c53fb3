import { z } from 'zod';
import { approvalStep } from './approval.js';
import { scopeLayer, skillDecision } from './calls/catalog.js';
import { withheldTool } from './calls/registry.js';
import { artifactRef } from './tool-call.js';
import { personaRef } from './tokens.js';
import { chatId, profileName, toolEffect, turnId } from './words.js';

/** Tokens in o200k. `monolith` is what the first model call would cost with every body and every tool in it. */
export const tokenLedger = z.object({
  base: z.number().int().nonnegative(),
  catalog: z.number().int().nonnegative(),
  loaded: z.number().int().nonnegative(),
  tools: z.number().int().nonnegative(),
  conversation: z.number().int().nonnegative(),
  monolith: z.number().int().nonnegative(),
});
export type TokenLedger = z.infer<typeof tokenLedger>;

/** Where the tokens of one request go, in o200k. */
export const requestTokens = tokenLedger.omit({ monolith: true });
export type RequestTokens = z.infer<typeof requestTokens>;

/** What a request weighs and costs; US dollars by the prices of models.yaml, null where they are not known. */
const requestCost = z.object({ inputTokens: z.number().int().nonnegative(), usd: z.number().nonnegative().nullable() });

/** What a turn costs, and what its activations and its gates make of that. */
export const turnCost = z.object({
  usd: z.number().nonnegative().nullable(),
  /** As the provider reported them; null where it reports none. */
  cachedTokens: z.number().int().nonnegative().nullable(),
  /** The request that asked for each load beside the one that followed on it. */
  activations: z.array(z.object({ skill: z.string(), before: requestCost, after: requestCost })),
  /** The same calls with every body and every tool in each; whatever stood in the call before counts as cached where the provider cached anything. */
  monolith: requestCost.nullable(),
});
export type TurnCost = z.infer<typeof turnCost>;

/** One thing that happened in a turn, in order. */
export const routeStep = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('model'),
    ms: z.number(),
    inputTokens: z.number().int().nullable(),
    outputTokens: z.number().int().nullable(),
    cachedTokens: z.number().int().nullable(),
    /** Of the request, as counted here. */
    tokens: requestTokens.optional(),
    /** US dollars by the prices of models.yaml; null where they are not known. */
    usd: z.number().nonnegative().nullable().optional(),
    /** The provider's word, or the slug of what went wrong: each try is a step of its own. */
    finish: z.string(),
    /** Id of the model that was asked; another than the turn's when that one failed. */
    model: z.string().optional(),
    /** Which try of this model for this answer, from 1. */
    try: z.number().int().positive().optional(),
    /** This call wrote the summary that stands for the earlier part of the chat; its `finish` is `compacted`. */
    compacted: z
      .object({
        /** Tokens of prompt, tools and history before and after. */
        tokensBefore: z.number().int().nonnegative(),
        tokensAfter: z.number().int().nonnegative(),
        /** `cut`: no summary could be had, and the earlier part was left out with a notice. */
        how: z.enum(['summary', 'cut']),
        /** Slug of why there is no summary. */
        reason: z.string().nullable(),
      })
      .optional(),
  }),
  z.object({
    kind: z.literal('load'),
    ms: z.number(),
    callId: z.string(),
    skill: z.string(),
    version: z.string().nullable(),
    digest: z.string().nullable(),
    layer: scopeLayer.nullable(),
    profiles: z.array(profileName),
    opened: z.array(z.string()),
    withheld: z.array(withheldTool),
    decision: z.enum(['loaded', 'already-active', 'refused']),
    reason: z.string().nullable(),
  }),
  z.object({
    kind: z.literal('tool'),
    ms: z.number(),
    callId: z.string(),
    tool: z.string(),
    profile: z.string().nullable(),
    /** The skill that opened it. */
    skill: z.string().nullable(),
    executor: z.string().nullable(),
    effect: toolEffect.nullable(),
    grantId: z.string().nullable(),
    decision: z.enum(['ok', 'refused', 'failed', 'unknown', 'cancelled']),
    reason: z.string().nullable(),
    artifacts: z.array(artifactRef),
    /** Of a call that its user decided on. */
    approval: approvalStep.optional(),
  }),
]);
export type RouteStep = z.infer<typeof routeStep>;

/** How the chat of a stateless client was found by what it sent. */
export const recognition = z.object({
  /** `continued`: it goes on, with all that it has loaded. `forked`: what was sent leaves a known chat. `ambiguous`: several fit, so none does. */
  how: z.enum(['continued', 'forked', 'new', 'ambiguous']),
  /** The chat that was left. */
  from: chatId.optional(),
});
export type Recognition = z.infer<typeof recognition>;

/** Why each tool ran: task -> skill -> profile -> tool. */
export const route = z.object({
  turn: turnId,
  chat: chatId,
  traceId: z.string(),
  model: z.string(),
  plan: z.string(),
  status: z.enum(['running', 'finished', 'failed', 'cancelled']),
  /** True while calls of the turn wait for their user; `status` is `running` then. */
  waiting: z.boolean().optional(),
  startedAt: z.iso.datetime(),
  ms: z.number().nullable(),
  /** The six questions, in order; null while unknown. */
  questions: z.object({
    skillVisible: z.boolean().nullable(),
    skillLoaded: z.boolean().nullable(),
    profileOpened: z.boolean().nullable(),
    toolSelected: z.boolean().nullable(),
    argumentsValid: z.boolean().nullable(),
    taskDone: z.boolean().nullable(),
  }),
  /** `slug@version` with what it opened and which of its tools ran, in load order. */
  skills: z.array(z.object({ skill: z.string(), version: z.string(), profiles: z.array(z.string()), tools: z.array(z.string()) })),
  /** Instructions that entered the context in this turn by no call: `always` skills, and newer versions of what the chat holds. */
  entered: z.array(z.object({ skill: z.string(), version: z.string(), /** `slug@version` whose place it took. */ replaces: z.string().nullable() })).optional(),
  visible: z.array(z.string()),
  withheld: z.array(skillDecision),
  steps: z.array(routeStep),
  tokens: tokenLedger,
  /** Null while the turn has asked no model. */
  cost: turnCost.nullable().optional(),
  catalogHash: z.string().nullable(),
  /** How many skills have a full line in the catalog that the chat began with, a shortened one, or none but their group's. */
  catalogLines: z
    .object({ full: z.number().int().nonnegative(), shortened: z.number().int().nonnegative(), grouped: z.number().int().nonnegative() })
    .nullable()
    .optional(),
  /** As whom the model answered, and whether that began with this turn: then prompt, skills, tools and model were all changed with it. */
  persona: personaRef.extend({ changed: z.boolean() }).nullable().optional(),
  /** This turn ended the persona that the chat had. */
  personaEnded: personaRef.nullable().optional(),
  /** Why each visible skill is visible; as in `withheld`, with all of its requirements met. */
  decisions: z.array(skillDecision).optional(),
  warnings: z.array(z.string()).optional(),
  /** Absent where the client named its chat. */
  recognised: recognition.optional(),
});
export type Route = z.infer<typeof route>;
