import { z } from 'zod';
import { authority, authorityRefusals } from '../authority.js';
import { defineCall } from '../define-call.js';
import { plainText } from '../plain-text.js';
import { accountId, jws, userId } from '../words.js';

/**
 * What accounts serves of outside systems: connecting them, their state, and credentials for executors. The state of the
 * house's rights is `entitlements.integrations`: only what is `connected` stands there.
 */

/** How an outside system lets somebody in. */
export const credentialKind = z.enum(['oauth2', 'api-key', 'app-password']);
export type CredentialKind = z.infer<typeof credentialKind>;

/**
 * - `connected`: works, as far as anybody knows
 * - `expired`: the provider took the refresh token no more; connect again
 * - `revoked`: the provider refused the credential itself; connect again
 * - `disconnected`: never connected, or taken away here
 */
export const integrationStatus = z.enum(['connected', 'expired', 'revoked', 'disconnected']);
export type IntegrationStatus = z.infer<typeof integrationStatus>;

export const integrationView = z.object({
  integration: z.string(),
  title: z.string(),
  kind: credentialKind,
  status: integrationStatus,
  /** Whether this house can connect it: false while the operator has not given it a client and credential keys. */
  connectable: z.boolean(),
  /** What `connect-with-secret` takes; empty for `oauth2`. */
  fields: z.array(z.object({ name: z.string(), title: z.string() })),
  /** Whether a credential is held. False beside `connected`: an operator marked it so, and nothing can be leased. */
  credential: z.boolean(),
  /** Who of the account connected it, and when. */
  by: userId.nullable(),
  at: z.iso.datetime().nullable(),
  /** What the provider granted, which may be less than was asked for. */
  scopes: z.array(z.string()),
  /** Which account at the provider: an address, a workspace. */
  label: z.string().nullable(),
  /** Why it is `expired` or `revoked`, and what to do. */
  why: z.string().nullable(),
});
export type IntegrationView = z.infer<typeof integrationView>;

const integration = z.string().max(64);

/** `integration-not-configured`: the operator has given this house no client or no credential keys. */
const connecting = ['unknown-integration', 'integration-not-configured', 'wrong-kind', ...authorityRefusals];

/** The state of every outside system that the house knows, connected or not. Without `account` the asker's own. */
export const listIntegrations = defineCall('call.v1.accounts.list-integrations', {
  input: z.object({ authority, account: accountId.optional() }),
  output: z.object({ integrations: z.array(integrationView) }),
  refusals: ['unknown-account', ...authorityRefusals],
});

/** Begins an OAuth connection for the asker's own account: a person opens `url`, agrees, and is sent to `redirectUri`. */
export const beginConnection = defineCall('call.v1.accounts.begin-connection', {
  input: z.object({ authority, integration, redirectUri: z.url({ protocol: /^https?$/ }).max(2_000) }),
  output: z.object({ url: z.string(), state: z.string(), expiresAt: z.iso.datetime() }),
  refusals: connecting,
  deadlineMs: 20_000,
});

/**
 * Ends it with what the provider sent to `redirectUri`. `state` works once, for ten minutes, and says by itself whose
 * connection it is; where the browser's user is known, `authority` must be of the same user.
 */
export const finishConnection = defineCall('call.v1.accounts.finish-connection', {
  input: z.object({
    authority: authority.optional(),
    state: plainText(1, 200),
    code: plainText(1, 4_000).optional(),
    /** As in RFC 6749, 4.1.2.1. */
    error: plainText(1, 200).optional(),
    errorDescription: plainText(0, 2_000).optional(),
    /** As in RFC 9207. */
    iss: plainText(1, 500).optional(),
  }),
  output: integrationView.extend({ account: accountId }),
  /**
   * `connection-unknown`: the state is unknown, used, too old or somebody else's. `connection-denied`: the person said no.
   * `connection-failed`: the provider did not take the code, or gave no use of it.
   */
  refusals: ['connection-unknown', 'connection-denied', 'connection-failed', 'integration-not-configured', ...authorityRefusals],
  deadlineMs: 30_000,
});

/** Connects what takes an API key or an app password. What was held before is replaced. */
export const connectWithSecret = defineCall('call.v1.accounts.connect-with-secret', {
  input: z.object({
    authority,
    account: accountId.optional(),
    integration,
    fields: z.record(z.string().max(64), plainText(1, 4_096)),
  }),
  output: integrationView,
  /** `invalid-fields` names the fields that are missing or too many. */
  refusals: ['unknown-account', 'invalid-fields', ...connecting],
});

/** Wipes the credential, after asking the provider to revoke it. `revoked`: whether the provider said yes. */
export const disconnectIntegration = defineCall('call.v1.accounts.disconnect-integration', {
  input: z.object({ authority, account: accountId.optional(), integration }),
  output: integrationView.extend({ revoked: z.boolean() }),
  refusals: ['unknown-account', 'unknown-integration', ...authorityRefusals],
  deadlineMs: 20_000,
});

/** A credential for a moment: never stored, never logged. */
export const leasedCredential = z.object({
  /** Names this very secret in `rejected`; says nothing about it. */
  lease: z.string(),
  kind: credentialKind,
  /** Of `oauth2`: goes behind `Bearer`. */
  accessToken: z.string().optional(),
  /** Of `api-key` and `app-password`, by the names in the provider table. */
  fields: z.record(z.string(), z.string()).optional(),
  /** Milliseconds since the epoch; absent for what does not expire by itself. */
  expiresAt: z.number().int().optional(),
  scopes: z.array(z.string()),
});
export type LeasedCredential = z.infer<typeof leasedCredential>;

/**
 * An executor's credential for the grant that it works under. The broker proves the executor; the grant must be its own and
 * must name the integration. An access token that has ended is renewed first, once in the whole house.
 *
 * @param rejected `lease` of a credential that the provider has just refused: it is renewed, or told to be revoked
 */
export const leaseCredential = defineCall('call.v1.accounts.lease-credential', {
  input: z.object({ grant: jws, integration, rejected: z.string().max(100).optional() }),
  output: leasedCredential,
  refusals: [
    'grant-invalid',
    'grant-expired',
    'grant-audience',
    'integration-not-granted',
    'integration-not-connected',
    'integration-expired',
    'integration-not-configured',
    'tools-not-allowed',
    'user-revoked',
  ],
  perCaller: true,
  deadlineMs: 20_000,
});

/**
 * Brings credentials under the first of the configured keys, some at each call: ask again with `after` set to `next` until
 * there is none. Leases go on meanwhile.
 */
export const rotateCredentials = defineCall('call.v1.accounts.rotate-credentials', {
  input: z.object({ authority, after: z.uuid().optional(), most: z.number().int().min(1).max(500).default(100) }),
  output: z.object({
    /** Id of the key that everything is under in the end. */
    key: z.string(),
    /** Encrypted anew by this call. */
    rotated: z.number().int().nonnegative(),
    /** Credentials that could not be opened; they stay as they are and keep their key in need. */
    failed: z.array(z.object({ id: z.uuid(), account: accountId, integration: z.string(), why: z.string() })),
    /** Credentials that are still under other keys, failed ones included. */
    left: z.number().int().nonnegative(),
    next: z.uuid().optional(),
  }),
  refusals: ['integration-not-configured', ...authorityRefusals],
  deadlineMs: 60_000,
});
