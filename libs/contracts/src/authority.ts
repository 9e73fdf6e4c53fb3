import { jws } from './words.js';

/**
 * The ticket of whoever makes a change, with their roles in it. Optional in calls that are older than it: a callee refuses
 * `authority-missing` where it is absent.
 */
export const authority = jws;

/** What each call with an authority may answer. */
export const authorityRefusals = ['authority-missing', 'ticket-invalid', 'ticket-expired', 'not-allowed'] as const;
