import { createHash } from 'node:crypto';
import { canonicalJson } from './manifest-digest.js';

/** Lower-case hexadecimal SHA-256 over the arguments of a call as canonical JSON: what a user approved, and nothing else. */
export const argumentsHash = (args: unknown): string => createHash('sha256').update(canonicalJson(args)).digest('hex');
