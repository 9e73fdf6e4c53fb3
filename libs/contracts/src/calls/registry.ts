import { z } from 'zod';
import { defineAuditCall } from '../audit.js';
import { authority, authorityRefusals } from '../authority.js';
import { defineCall } from '../define-call.js';
import { toolPolicy } from '../approval.js';
import { publicKeys } from '../tokens.js';
import { toolManifest } from '../tool-manifest.js';
import { digest, executorName, jws, jsonSchema, profileName, toolEffect, toolName } from '../words.js';

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
  /** Absent means `allow`. A `confirm` tool is in no grant of `resolve-tools`: its user approves each call. */
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
    ...['offer-invalid', 'offer-expired', 'unknown-approval', 'approval-unattended', 'call-granted', 'tool-withheld', 'tools-not-allowed'],
    ...authorityRefusals,
  ],
});

/** Served per caller: executors fetch the keys that grants are checked with. */
export const registryPublicKeys = defineCall('call.v1.registry.public-keys', {
  input: z.object({}),
  output: publicKeys,
  perCaller: true,
});

const manifestState = z.enum(['approved', 'proposed', 'changed', 'quarantined']);

export const listManifests = defineCall('call.v1.registry.list-manifests', {
  input: z.object({}),
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
          }),
        ),
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
  output: z.object({ approved: z.array(toolName) }),
  refusals: ['unknown-executor', 'manifest-changed', 'unknown-profile', 'tool-quarantined', ...authorityRefusals],
});

export const listProfiles = defineCall('call.v1.registry.list-profiles', {
  input: z.object({}),
  output: z.object({
    profiles: z.array(
      z.object({
        name: profileName,
        title: z.string(),
        capability: z.string().nullable(),
        tools: z.array(toolName),
        /** True when no tool of it stands in an approved manifest. */
        unserved: z.boolean(),
        tokens: z.number().int().nonnegative(),
      }),
    ),
    /** Tokens of every approved tool's definition: the monolith's tools part. */
    allToolsTokens: z.number().int().nonnegative(),
    /** What the last `manifest-approved` of each executor said, for a reader that missed it. */
    served: z.array(z.object({ executor: executorName, profiles: z.array(profileName), approvedAt: z.iso.datetime() })).optional(),
  }),
});

export const listAudit = defineAuditCall('registry');

export { toolManifest };
