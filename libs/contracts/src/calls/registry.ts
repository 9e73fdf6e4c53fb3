import { z } from 'zod';
import { defineAuditCall } from '../audit.js';
import { authority, authorityRefusals } from '../authority.js';
import { defineCall } from '../define-call.js';
import { publicKeys, skillRequirements } from '../tokens.js';
import { toolManifest } from '../tool-manifest.js';
import { accountId, chatId, digest, effectPolicies, executorName, jws, jsonSchema, profileName, skillSlug, toolEffect, toolName, toolPolicy, turnId } from '../words.js';

/** A tool as a model is told of it, and what the caller needs to run it. */
export const openedTool = z.object({
  name: toolName,
  description: z.string(),
  inputSchema: jsonSchema,
  profile: profileName,
  effect: toolEffect,
  executor: executorName,
  timeoutMs: z.number().int().positive(),
  /** `slug@version` of the skill that opened it. */
  skill: z.string(),
  /** The name under which its executor is called, where models know it by another: two executors chose the same. */
  ownName: toolName.optional(),
  /** Absent means `allow`. A `confirm` tool is in no grant of `resolve-tools`: its user approves each call. What is denied is withheld. */
  policy: toolPolicy.exclude(['deny']).optional(),
  /** Of a `confirm` tool: what `mint-call-grant` wants to see beside the user's approval. */
  offer: jws.optional(),
});
export type OpenedTool = z.infer<typeof openedTool>;

export const withheldTool = z.object({
  /** `profile` or `profile/tool`. */
  name: z.string(),
  slug: z.string(),
  message: z.string(),
  /** Where a policy alone keeps it shut. */
  policy: toolPolicy.optional(),
});
export type WithheldTool = z.infer<typeof withheldTool>;

export const heldGrant = z.object({
  executor: executorName,
  grant: jws,
  /** `jti` of the grant, for spans. */
  id: z.string(),
  /** Milliseconds since the epoch. */
  expiresAt: z.number().int(),
});
export type HeldGrant = z.infer<typeof heldGrant>;

/** Ticket and receipts in; tools, what was withheld and why, and one grant for each executor out. */
export const resolveTools = defineCall('call.v1.registry.resolve-tools', {
  input: z.object({
    ticket: jws,
    receipts: z.array(jws),
    /** Also the tools of executors that need no skill. */
    base: z.boolean().optional(),
    /** Decide on facts at least as new, as an executor that refused a grant demands; never on older ones than the ticket does. */
    minEpoch: z.number().int().nonnegative().optional(),
  }),
  output: z.object({
    tools: z.array(openedTool),
    /** In activation order. */
    profiles: z.array(z.object({ name: profileName, skill: z.string() })),
    grants: z.array(heldGrant),
    withheld: z.array(withheldTool),
    policyEpoch: z.number().int().nonnegative(),
  }),
  refusals: ['ticket-invalid', 'ticket-expired', 'receipt-invalid', 'receipt-expired', 'foreign-receipt', 'tools-not-allowed'],
});

/**
 * A user's yes to one call, as the gateway brings it: the authority is of who said it, signed for this request. The grant is for
 * that call id with those arguments alone, and lives from now.
 */
export const mintCallGrant = defineCall('call.v1.registry.mint-call-grant', {
  input: z.object({ authority, offer: jws, callId: z.string().min(1).max(200), argumentsHash: digest }),
  output: z.object({ grant: heldGrant, policyEpoch: z.number().int().nonnegative() }),
  refusals: [
    ...['offer-invalid', 'offer-expired', 'unknown-approval', 'approval-unattended', 'tool-withheld', 'tools-not-allowed'],
    ...authorityRefusals,
  ],
});

/**
 * An operator runs one tool in an account, outside of any chat: the grant is for that call with those arguments alone. What the
 * account's plan, integrations or policies keep shut stays shut, and what its user has to approve is not the operator's to run.
 */
export const grantTool = defineCall('call.v1.registry.grant-tool', {
  input: z.object({ authority, account: accountId, tool: toolName, chat: chatId, turn: turnId, callId: z.string().min(1).max(200), argumentsHash: digest }),
  output: z.object({
    grant: heldGrant,
    /** As its executor calls it. */
    tool: toolName,
    effect: toolEffect,
    timeoutMs: z.number().int().positive(),
  }),
  refusals: ['unknown-account', 'unknown-tool', 'tool-withheld', 'tools-not-allowed', ...authorityRefusals],
});

/** Served per caller: executors fetch the keys that grants are checked with. */
export const registryPublicKeys = defineCall('call.v1.registry.public-keys', {
  input: z.object({}),
  output: publicKeys,
  perCaller: true,
});

/** One place where what is announced is not what was approved; null where there is nothing. */
const manifestChange = z.object({
  /** `effect`, `profile`, `description`, or a JSON pointer (RFC 6901) into the input schema. */
  what: z.string(),
  before: z.string().nullable(),
  after: z.string().nullable(),
});

const manifestState = z.enum(['approved', 'proposed', 'changed', 'quarantined']);

export const listManifests = defineCall('call.v1.registry.list-manifests', {
  /** With a name, of that executor alone: it has the room of the whole answer. */
  input: z.object({ executor: executorName.optional() }),
  output: z.object({
    executors: z.array(
      z.object({
        executor: executorName,
        version: z.string(),
        /** Instances heard within the last three heartbeats. */
        instances: z.number().int().nonnegative(),
        tools: z.array(
          z.object({
            name: toolName,
            profile: profileName,
            effect: toolEffect,
            schemaDigest: z.string(),
            state: manifestState,
            /** What differs from the approved manifest, or why it was quarantined. */
            reason: z.string().optional(),
            /** From the approved manifest to this one; absent where there would be too many for one answer. */
            changes: z.array(manifestChange).optional(),
            /** What models are not shown of it, or are told in words: of all, or of those of a named family. */
            notes: z.array(z.string()).optional(),
            /** The name that models know it by, where it is another. */
            shownAs: toolName.optional(),
            /** Of its definition in a request, in o200k. Absent while it is quarantined. */
            tokens: z.number().int().nonnegative().optional(),
          }),
        ),
        /** Announced, and no manifest at all; the others of the same announcement stand above. */
        refused: z.array(z.object({ name: z.string(), reason: z.string() })).optional(),
        /** What stands approved of it, announced now or not, the newest of each tool first. */
        approvals: z.array(z.object({ name: toolName, schemaDigest: z.string(), by: z.string(), approvedAt: z.iso.datetime() })).optional(),
        /** Of all living instances, the one heard last first: several while it rolls over. */
        versions: z.array(z.string()).optional(),
        /** Tools, refused ones and approvals of it that the answer had no room for. Absent when it is complete. */
        leftOut: z.number().int().positive().optional(),
      }),
    ),
  }),
});

/** An operator's word: these tools of this executor, exactly as given, are usable. */
export const approveManifest = defineCall('call.v1.registry.approve-manifest', {
  input: z.object({
    authority: authority.optional(),
    executor: executorName,
    tools: z.array(z.object({ name: toolName, schemaDigest: z.string() })),
    by: z.string(),
  }),
  output: z.object({
    approved: z.array(toolName),
    /** Those whose name another executor had first, with the one that models know them by from now on. */
    renamed: z.array(z.object({ name: toolName, shownAs: toolName })).optional(),
  }),
  refusals: ['unknown-executor', 'manifest-changed', 'unknown-profile', 'tool-quarantined', ...authorityRefusals],
});

/** An operator takes approvals back: with the next decision these manifests are usable no more, also when an old instance returns. */
export const withdrawApproval = defineCall('call.v1.registry.withdraw-approval', {
  input: z.object({ authority, executor: executorName, tools: z.array(z.object({ name: toolName, schemaDigest: z.string() })).min(1) }),
  output: z.object({ withdrawn: z.array(toolName) }),
  refusals: ['not-approved', ...authorityRefusals],
});

/** Whose word a policy is: of the profile as it is shipped, of the operator, of the account's admin. */
const policyLayer = z.enum(['profile', 'operator', 'admin']);
const decidedPolicy = z.object({ policy: toolPolicy, layer: policyLayer });
const decidedPolicies = z.object({ read: decidedPolicy, write: decidedPolicy, external: decidedPolicy });

export const listProfiles = defineCall('call.v1.registry.list-profiles', {
  input: z.object({
    /** With it policies are those of its account, else those of the house. */
    authority: authority.optional(),
  }),
  output: z.object({
    profiles: z.array(
      z.object({
        name: profileName,
        title: z.string(),
        capability: z.string().nullable(),
        tools: z.array(toolName),
        /** True when no tool of it stands in an approved manifest. */
        unserved: z.boolean(),
        /** Of its approved tools. */
        tokens: z.number().int().nonnegative(),
        /** The executor that is meant to serve it. */
        owner: z.string().optional(),
        /** Each is needed by some of its tools only. */
        integrations: z.array(z.string()).optional(),
        /** True when profiles.yaml says that nobody serves it yet. */
        markedUnserved: z.boolean().optional(),
        policy: decidedPolicies.optional(),
      }),
    ),
    /** Tokens of every approved tool's definition: the monolith's tools part. */
    allToolsTokens: z.number().int().nonnegative(),
    /** What the last `manifest-approved` of each executor said, for a reader that missed it. */
    served: z.array(z.object({ executor: executorName, profiles: z.array(profileName), approvedAt: z.iso.datetime() })).optional(),
  }),
  refusals: ['ticket-invalid', 'ticket-expired'],
});

/** Every tool that a profile names or an operator approved, and what it would cost in a prompt. */
export const listTools = defineCall('call.v1.registry.list-tools', {
  input: z.object({ authority: authority.optional(), profile: profileName.optional() }),
  output: z.object({
    tools: z.array(
      z.object({
        name: toolName,
        profile: profileName,
        /** Those that must be connected for this tool. */
        integrations: z.array(z.string()),
        /** `proposed`: announced and not approved. `changed`, `away`: approved, and announced otherwise or not at all. */
        standing: z.enum(['serving', 'changed', 'away', 'proposed', 'unserved']),
        /** Null, as all that follows, while no operator has approved it. */
        executor: executorName.nullable(),
        effect: toolEffect.nullable(),
        policy: toolPolicy.nullable(),
        /** Of its definition, in o200k. */
        tokens: z.number().int().nonnegative().nullable(),
      }),
    ),
    /** Of all that are listed. */
    tokens: z.number().int().nonnegative(),
  }),
  refusals: ['ticket-invalid', 'ticket-expired', 'unknown-profile'],
});

/**
 * What a skill with these requirements would open for an account now: the decision of an activation, and no grant.
 *
 * @see resolveTools
 */
export const previewTools = defineCall('call.v1.registry.preview-tools', {
  input: z.object({
    /** Of a turn or of none. */
    ticket: jws,
    /** Another account than the ticket's: operators. */
    account: accountId.optional(),
    /** With it the locks on this skill count. */
    skill: skillSlug.optional(),
    /** Slug of a persona of that account; that of the ticket unless given. */
    persona: skillSlug.optional(),
    requires: skillRequirements,
    minEpoch: z.number().int().nonnegative().optional(),
  }),
  output: z.object({
    /** False when tools are asked for and none would open: a load would be refused. */
    loadable: z.boolean(),
    profiles: z.array(profileName),
    tools: z.array(openedTool.omit({ inputSchema: true, description: true, timeoutMs: true, skill: true, ownName: true }).extend({ tokens: z.number().int().nonnegative() })),
    withheld: z.array(withheldTool),
    tokens: z.number().int().nonnegative(),
    policyEpoch: z.number().int().nonnegative(),
  }),
  refusals: ['unknown-account', 'unknown-persona', ...authorityRefusals],
});

/** Null takes a word back; what is absent stays. */
const policyChange = z
  .strictObject({ read: toolPolicy.nullable().optional(), write: toolPolicy.nullable().optional(), external: toolPolicy.nullable().optional() })
  .refine((change) => Object.keys(change).length > 0, 'name at least one effect: read, write or external');

const policyAnswer = z.object({
  profile: profileName,
  /** What this change's author has said, now. */
  said: effectPolicies,
  /** What holds. */
  policy: decidedPolicies,
});

/** The operator's word on a profile, for all accounts; it stands in the place of the profile's own. */
export const setProfilePolicy = defineCall('call.v1.registry.set-profile-policy', {
  input: z.object({ authority: authority.optional(), profile: profileName, policy: policyChange }),
  output: policyAnswer,
  refusals: ['unknown-profile', ...authorityRefusals],
});

/** An account's word on a profile, for itself. It is never looser than that of the house. */
export const tightenProfilePolicy = defineCall('call.v1.registry.tighten-profile-policy', {
  input: z.object({ authority: authority.optional(), account: accountId, profile: profileName, policy: policyChange }),
  output: policyAnswer,
  refusals: ['unknown-profile', 'unknown-account', 'policy-loosens', ...authorityRefusals],
});

export const listAudit = defineAuditCall('registry');

export { toolManifest };
