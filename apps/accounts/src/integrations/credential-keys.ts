import { createSecretKey, type KeyObject } from 'node:crypto';
import { z } from 'zod';

const keyBytes = 32; // AES-256

const list = z
  .array(z.strictObject({ id: z.string().regex(/^[\w.-]{1,64}$/), key: z.string() }))
  .min(1)
  .refine((keys) => new Set(keys.map(({ id }) => id)).size === keys.length)
  .refine((keys) => keys.every(({ key }) => Buffer.from(key, 'base64').length === keyBytes));

export interface CredentialKey {
  readonly id: string;
  readonly key: KeyObject;
}

/** Key-encryption keys: what is sealed now goes under `current`; the others open what an earlier one sealed. */
export interface CredentialKeys {
  readonly current: CredentialKey;
  find(id: string): CredentialKey | undefined;
}

/** @throws TypeError that quotes nothing of the keys */
export function readCredentialKeys(text: string): CredentialKeys {
  const parsed = list.safeParse(parseJson(text));
  if (!parsed.success) throw new TypeError('is no JSON list of {"id","key"} with ids of their own and keys of 32 bytes as base64');
  const keys = parsed.data.map(({ id, key }) => ({ id, key: createSecretKey(Buffer.from(key, 'base64')) }));
  return { current: keys[0]!, find: (id) => keys.find((key) => key.id === id) };
}

export const credentialKeysVariable = z
  .string()
  .transform((text, context): CredentialKeys => {
    try {
      return readCredentialKeys(text);
    } catch (error) {
      context.addIssue((error as Error).message);
      return z.NEVER;
    }
  })
  .meta({ example: '[{"id":"2026-12","key":"(head -c 32 /dev/urandom | base64)"}], the current key first' });

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
