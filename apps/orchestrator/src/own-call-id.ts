import { randomBytes } from 'node:crypto';

/** Our own id of a tool call: providers repeat theirs, leave them out, or shape them as other providers refuse. */
export const newCallId = (): string => `call_${randomBytes(12).toString('hex')}`;
