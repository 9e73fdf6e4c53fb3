import { createHash, randomBytes } from 'node:crypto';

/** `sk-sg-` and 32 random bytes as base64url. */
export const apiKeyShape = /^sk-sg-[A-Za-z0-9_-]{43}$/;

/** Characters of a key that are stored in clear, so that people tell their keys apart: the mark and 6 of 43. */
const prefixLength = 12;

/** What is kept of a key: enough to recognise it, not enough to use it. */
export interface KeyMark {
  /** SHA-256. The secret has 256 random bits, so that no salt and no slow hash is needed. */
  readonly hash: Buffer;
  readonly prefix: string;
}

/** A new secret, to be shown once. */
export const newApiKey = (): string => `sk-sg-${randomBytes(32).toString('base64url')}`;

export const markOf = (secret: string): KeyMark => ({
  hash: createHash('sha256').update(secret).digest(),
  prefix: secret.slice(0, prefixLength),
});
