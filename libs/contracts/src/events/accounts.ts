import { z } from 'zod';
import { defineEvent } from '../define-event.js';
import { entitlements } from '../entitlements.js';
import { accountId } from '../words.js';

/** The whole facts after a change, so that a reader needs no call; `policyEpoch` tells the newer of two. */
export const entitlementsChanged = defineEvent('event.v1.accounts.entitlements-changed', entitlements);

/**
 * What an account may use has changed, and nothing of what it may: for those who hold decisions of an older epoch and need no
 * facts, such as executors, which shall know no account's rights.
 */
export const policyRaised = defineEvent('event.v1.accounts.policy-raised', z.object({ account: accountId, policyEpoch: z.number().int().nonnegative() }));

const integration = z.object({ account: accountId, integration: z.string(), policyEpoch: z.number().int().nonnegative() });

export const integrationConnected = defineEvent('event.v1.accounts.integration-connected', integration);

export const integrationDisconnected = defineEvent('event.v1.accounts.integration-disconnected', integration);

/** The provider takes the credential no more: somebody of the account must connect again. */
export const integrationExpired = defineEvent(
  'event.v1.accounts.integration-expired',
  integration.extend({ status: z.enum(['expired', 'revoked']) }),
);
