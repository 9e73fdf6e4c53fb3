import { createCipheriv, createDecipheriv, createSecretKey, randomBytes, type KeyObject } from 'node:crypto';
import { unavailable } from '@skillgate/contracts/refusal';
import type { CredentialKeys } from './credential-keys.js';

/** A secret as the database holds it: encrypted under a key of its own, which is wrapped under a key of the installation. */
export interface Sealed {
  /** Of the key-encryption key. */
  readonly keyId: string;
  readonly wrappedKey: Buffer;
  readonly box: Buffer;
}

/** What a secret belongs to. It is authenticated with it, so that a row copied to another place opens nothing. */
export interface Belonging {
  readonly account: string;
  readonly integration: string;
  readonly id: string;
}

const version = 1;
const ivBytes = 12; // what GCM is made for; a data key is used once, and a random 96-bit one under the same KEK is far below its limit
const tagBytes = 16;

export function seal(keys: CredentialKeys, belonging: Belonging, secret: string): Sealed {
  const { id: keyId, key } = keys.current;
  const dataKey = randomBytes(32);
  const wrappedKey = encrypt(key, dataKey, aad('key', keyId, belonging));
  const box = encrypt(createSecretKey(dataKey), Buffer.from(secret, 'utf8'), aad('secret', '', belonging));
  dataKey.fill(0);
  return { keyId, wrappedKey, box };
}

/**
 * @throws unavailable `credential-key-missing` where this replica was not given the key, and Error when the row was changed
 *   or moved
 */
export function unseal(keys: CredentialKeys, belonging: Belonging, { keyId, wrappedKey, box }: Sealed): string {
  const held = keys.find(keyId);
  if (!held) {
    throw unavailable(
      'credential-key-missing',
      `The credential is under the key "${keyId}", which SKILLGATE_CREDENTIAL_KEYS of this replica lacks.`,
    );
  }
  const dataKey = decrypt(held.key, wrappedKey, aad('key', keyId, belonging));
  const secret = decrypt(createSecretKey(dataKey), box, aad('secret', '', belonging));
  dataKey.fill(0);
  return secret.toString('utf8');
}

const aad = (part: string, keyId: string, { account, integration, id }: Belonging): Buffer =>
  Buffer.from(JSON.stringify(['skillgate credential', version, part, keyId, account, integration, id]));

/** version (1 byte), iv, tag, text */
function encrypt(key: KeyObject, text: Buffer, about: Buffer): Buffer {
  const iv = randomBytes(ivBytes);
  const cipher = createCipheriv('aes-256-gcm', key, iv, { authTagLength: tagBytes }).setAAD(about);
  const encrypted = Buffer.concat([cipher.update(text), cipher.final()]);
  return Buffer.concat([Buffer.of(version), iv, cipher.getAuthTag(), encrypted]);
}

function decrypt(key: KeyObject, from: Buffer, about: Buffer): Buffer {
  if (from[0] !== version || from.length < 1 + ivBytes + tagBytes)
    throw new Error('a credential is stored in a form that this version cannot read');
  const iv = from.subarray(1, 1 + ivBytes);
  const tag = from.subarray(1 + ivBytes, 1 + ivBytes + tagBytes);
  const decipher = createDecipheriv('aes-256-gcm', key, iv, { authTagLength: tagBytes }).setAAD(about).setAuthTag(tag);
  try {
    return Buffer.concat([decipher.update(from.subarray(1 + ivBytes + tagBytes)), decipher.final()]);
  } catch {
    throw new Error('a credential does not open: its row was changed or moved, or a key has another value under the same id');
  }
}
