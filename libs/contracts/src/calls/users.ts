import { z } from 'zod';
import { authority, authorityRefusals } from '../authority.js';
import { defineCall } from '../define-call.js';
import { role } from '../entitlements.js';
import { displayName, faultOfName, plainText } from '../plain-text.js';
import { accountId, userId } from '../words.js';

/** Who a user is to another issuer: `iss` and `sub` of its tokens. */
export const subject = plainText(1, 255).refine((text) => faultOfName(text) === undefined, 'holds a character that nobody sees, or nothing else; leave it out');
export const identity = z.object({ issuer: plainText(1, 500), subject });
export type Identity = z.infer<typeof identity>;

export const userView = z.object({
  id: userId,
  account: accountId,
  name: z.string(),
  /** The most that the user's keys and tokens may do. */
  roles: z.array(role),
  identities: z.array(identity),
  createdAt: z.iso.datetime(),
  revokedAt: z.iso.datetime().nullable(),
});
export type UserView = z.infer<typeof userView>;

const userRefusals = ['unknown-account', 'unknown-user', 'role-not-allowed', ...authorityRefusals];

export const createUser = defineCall('call.v1.accounts.create-user', {
  input: z.object({
    authority,
    account: accountId,
    name: displayName,
    roles: z.array(role).min(1).default(['user']),
    /** For people who sign in with another issuer's tokens before it may make users by itself. */
    identity: identity.optional(),
  }),
  output: userView,
  refusals: [...userRefusals, 'identity-taken'],
});

/** Oldest first; `after` is the last id of the page before. */
export const listUsers = defineCall('call.v1.accounts.list-users', {
  input: z.object({ authority, account: accountId, after: userId.optional(), limit: z.number().int().min(1).max(200).default(100) }),
  output: z.object({ users: z.array(userView) }),
  refusals: userRefusals,
});

export const updateUser = defineCall('call.v1.accounts.update-user', {
  input: z.object({
    authority,
    account: accountId,
    user: userId,
    name: displayName.optional(),
    roles: z.array(role).min(1).optional(),
  }),
  output: userView,
  refusals: [...userRefusals, 'user-revoked', 'last-admin', 'last-operator'],
});

/** For good: keys and tokens of the user open nothing any more. */
export const revokeUser = defineCall('call.v1.accounts.revoke-user', {
  input: z.object({ authority, account: accountId, user: userId }),
  output: z.object({ id: userId, revoked: z.literal(true) }),
  refusals: [...userRefusals, 'last-admin', 'last-operator'],
});
