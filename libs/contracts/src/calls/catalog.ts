import { z } from 'zod';
import { defineAuditCall } from '../audit.js';
import { authority, authorityRefusals } from '../authority.js';
import { defineCall } from '../define-call.js';
import { publicKeys, skillRequirements } from '../tokens.js';
import { accountId, chatId, digest, jws, profileName, skillSlug, skillState, skillStateEdit, skillStates } from '../words.js';
import { withheldTool } from './registry.js';

/** One line of the catalog that a model reads. */
export const catalogEntry = z.object({
  slug: skillSlug,
  description: z.string(),
  /** Absent means `platform`; what an account's users wrote is labelled in the prompt. */
  source: z.enum(['platform', 'account']).optional(),
  /** What it belongs with when a catalog is too long for a line each: the profile that it opens, for one. */
  group: z.string().optional(),
});
export type CatalogEntry = z.infer<typeof catalogEntry>;

export const scopeLayer = z.enum(['operator-lock', 'admin-lock', 'turn', 'chat', 'persona', 'account', 'default', 'hidden']);
export type ScopeLayer = z.infer<typeof scopeLayer>;

/** Why a skill stands where it stands: the resolver's answer for one skill. */
export const skillDecision = z.object({
  slug: skillSlug,
  state: skillState,
  /** The layer that decided the state. */
  layer: scopeLayer,
  /** May the model load it (or, for `always`, are its instructions in the turn)? */
  usable: z.boolean(),
  /** One sentence each, for people: what is missing. */
  unmet: z.array(z.object({ kind: z.string(), need: z.string(), message: z.string() })),
  /** Of the version that was decided on; absent where none was ever published. */
  version: z.string().optional(),
  /** Everything that the skill asks for, met or not. Absent where all of it is met and nobody asked. */
  requirements: z.array(z.object({ kind: z.string(), need: z.string(), met: z.boolean() })).optional(),
});
export type SkillDecision = z.infer<typeof skillDecision>;

/** An immutable version, by which a chat pins what it loaded. */
export const skillPin = z.object({ slug: skillSlug, version: z.string(), digest });
export type SkillPin = z.infer<typeof skillPin>;

/** Instructions with the proof that they were loaded. */
export const loadedSkill = skillPin.extend({
  instructions: z.string(),
  /** `platform`: ours or the operator's. `account`: written by a user, never at system authority. */
  source: z.enum(['platform', 'account']),
  requires: skillRequirements,
  receipt: jws,
  /** `slug@version` that these instructions take the place of in this chat, by the skill's update policy. */
  replaces: z.string().optional(),
  /** Files that came with it and may be read while it is loaded. */
  files: z.array(z.object({ path: z.string(), bytes: z.number().int().nonnegative() })).optional(),
});
export type LoadedSkill = z.infer<typeof loadedSkill>;

/** Decide on facts at least as new, as a turn has heard of them meanwhile; never on older ones than the ticket does. */
const minEpoch = z.number().int().nonnegative().optional();

/** All that a turn needs of the catalog, in one answer: lines, `always` skills, receipts for the chat's pinned skills. */
export const prepareTurn = defineCall('call.v1.catalog.prepare-turn', {
  input: z.object({
    ticket: jws,
    modelUsesTools: z.boolean(),
    pinned: z.array(skillPin).default([]),
    /** The latest version of each `always` skill that the chat was shown. */
    shown: z.array(skillPin).default([]),
    /** Within a running turn, which only what is under `force` may change. */
    midTurn: z.boolean().default(false),
    /** Something was published of which the asker has heard: look at the store now. */
    lookAgain: z.boolean().default(false),
    minEpoch,
  }),
  output: z.object({
    /** May this account use tools with this model at all? False: plain chat, no catalog, no `tools` field. */
    toolsAllowed: z.boolean(),
    entries: z.array(catalogEntry),
    always: z.array(loadedSkill),
    /** The chat's loaded skills that may still be used; their text is what was pinned, or says what it `replaces`. */
    loaded: z.array(loadedSkill),
    /** Every skill that is not usable now, with its reasons. `hidden` skills are not named. */
    withheld: z.array(skillDecision),
    /** The decision on each skill of `entries` and `always`. */
    visible: z.array(skillDecision).optional(),
    /** One sentence each, for people: what is worth a look though it hinders nothing. */
    warnings: z.array(z.string()).optional(),
    policyEpoch: z.number().int().nonnegative(),
  }),
  refusals: ['ticket-invalid', 'ticket-expired'],
});

export const loadSkill = defineCall('call.v1.catalog.load-skill', {
  input: z.object({
    ticket: jws,
    slug: z.string().max(200),
    modelUsesTools: z.boolean(),
    /** What the chat was shown of this skill before. */
    shown: skillPin.optional(),
    minEpoch,
  }),
  output: loadedSkill.extend({ layer: scopeLayer, policyEpoch: z.number().int().nonnegative() }),
  refusals: ['ticket-invalid', 'ticket-expired', 'unknown-skill', 'skill-never', 'skill-hidden', 'skill-unmet', 'skill-invalid'],
});

/** Skills that this ticket may load: by words of the task, best first, or page by page in the order of their slugs. */
export const searchSkills = defineCall('call.v1.catalog.search-skills', {
  input: z.object({
    ticket: jws,
    modelUsesTools: z.boolean(),
    /** Absent or without a word: all of them. */
    query: z.string().max(2_000).optional(),
    /** Slug behind which a page without a query begins. */
    after: z.string().max(64).optional(),
    limit: z.number().int().min(1).max(100).default(20),
    minEpoch,
  }),
  output: z.object({
    skills: z.array(catalogEntry),
    /** Skills that this ticket may load, found or not. */
    loadable: z.number().int().nonnegative(),
    /** `after` of the next page; null on the last one, and for a query. */
    next: z.string().nullable(),
  }),
  refusals: ['ticket-invalid', 'ticket-expired'],
});

/** What a load would open now, as the registry says; nothing is opened. */
const wouldOpen = z.object({
  loadable: z.boolean(),
  profiles: z.array(profileName),
  tools: z.array(z.string()),
  withheld: z.array(withheldTool),
  tokens: z.number().int().nonnegative(),
});

/** Instructions that ride in every turn, and how many tokens of them are thought to be too many. */
export const alwaysLoad = z.object({ skills: z.array(skillSlug), tokens: z.number().int().nonnegative(), budget: z.number().int().nonnegative() });

/**
 * Why a skill stands where it stands. For the ticket's account, chat and persona unless told otherwise: another account needs
 * an operator, another chat an admin, and the ticket then carries the roles.
 */
export const explainSkills = defineCall('call.v1.catalog.explain-skills', {
  input: z.object({
    ticket: jws,
    modelUsesTools: z.boolean().default(true),
    skill: skillSlug.optional(),
    account: accountId.optional(),
    persona: skillSlug.optional(),
    chat: chatId.optional(),
    /** Ask the registry what each would open. */
    opens: z.boolean().default(false),
    minEpoch,
  }),
  output: z.object({
    skills: z.array(
      skillDecision.extend({
        version: z.string(),
        digest,
        title: z.string(),
        /** Null when the registry did not answer; absent when it was not asked. */
        opens: wouldOpen.nullable().optional(),
      }),
    ),
    always: alwaysLoad.optional(),
    warnings: z.array(z.string()).optional(),
    policyEpoch: z.number().int().nonnegative().optional(),
  }),
  refusals: ['unknown-skill', 'unknown-persona', 'unknown-account', 'unknown-chat', ...authorityRefusals],
});

/** The lines that a turn of this ticket would get, and the tokens that ride in it unasked. No receipt is given. */
export const previewEntries = defineCall('call.v1.catalog.preview-entries', {
  input: z.object({ ticket: jws, modelUsesTools: z.boolean() }),
  output: z.object({
    toolsAllowed: z.boolean(),
    entries: z.array(catalogEntry),
    always: alwaysLoad,
    warnings: z.array(z.string()),
    policyEpoch: z.number().int().nonnegative(),
  }),
  refusals: ['ticket-invalid', 'ticket-expired'],
});

/** States of a chat: that of the ticket, whose signature says that it is the user's own. */
export const chatSkills = z.object({ chat: chatId, skills: skillStates });

export const getChatSkills = defineCall('call.v1.catalog.get-chat-skills', {
  input: z.object({ authority }),
  output: chatSkills,
  refusals: ['unknown-chat', ...authorityRefusals],
});

/** All or nothing. With `replace` what is not named goes, else it stays. Hidden and unknown skills are refused, each by name. */
export const setChatSkills = defineCall('call.v1.catalog.set-chat-skills', {
  input: z.object({ authority, states: skillStateEdit, replace: z.boolean().default(false) }),
  output: chatSkills,
  refusals: ['unknown-chat', 'unknown-skill', 'too-many-states', ...authorityRefusals],
});

/** Everything on disk or in the store, the unusable with its reason. For operators. */
export const listSkills = defineCall('call.v1.catalog.list-skills', {
  input: z.object({}),
  output: z.object({
    skills: z.array(
      z.object({
        slug: z.string(),
        version: z.string().nullable(),
        digest: digest.nullable(),
        description: z.string(),
        hidden: z.boolean(),
        status: z.enum(['published', 'invalid']),
        problems: z.array(z.object({ rule: z.string(), message: z.string(), line: z.number().optional(), column: z.number().optional() })),
        bodyTokens: z.number().int().nonnegative(),
        requires: skillRequirements.nullable(),
      }),
    ),
  }),
});

/** What the whole catalog would cost if every body rode in the prompt: the monolith that gating avoids. */
export const measureMonolith = defineCall('call.v1.catalog.measure-monolith', {
  input: z.object({}),
  output: z.object({ bodiesTokens: z.number().int().nonnegative(), skills: z.number().int().nonnegative() }),
});

export const catalogPublicKeys = defineCall('call.v1.catalog.public-keys', { input: z.object({}), output: publicKeys });

export const listAudit = defineAuditCall('catalog');
