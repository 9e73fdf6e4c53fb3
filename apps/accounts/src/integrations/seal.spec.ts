import { randomBytes, randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { credentialKeysVariable, readCredentialKeys } from './credential-keys.js';
import { seal, unseal } from './seal.js';

const newKey = (id: string) => ({ id, key: randomBytes(32).toString('base64') });
const [old, fresh] = [newKey('old'), newKey('fresh')];
const keys = (...list: object[]) => readCredentialKeys(JSON.stringify(list));
const belonging = { account: randomUUID(), integration: 'slack', id: randomUUID() };
const secret = JSON.stringify({ refreshToken: 'refresh-token-of-acme ü' });

describe('a sealed credential', () => {
  it('opens under its key again, also when a newer key is current', () => {
    const sealed = seal(keys(old), belonging, secret);
    expect(sealed.keyId).toBe('old');
    expect(unseal(keys(fresh, old), belonging, sealed)).toBe(secret);
  });

  it('shows nothing of itself, and looks different each time', () => {
    const [one, two] = [seal(keys(old), belonging, secret), seal(keys(old), belonging, secret)];
    for (const part of [one.box, one.wrappedKey]) expect(part.includes('refresh')).toBe(false);
    expect(one.box.equals(two.box)).toBe(false);
    expect(one.wrappedKey.equals(two.wrappedKey)).toBe(false);
  });

  it.each([
    ['account', { account: randomUUID() }],
    ['integration', { integration: 'gmail' }],
    ['row', { id: randomUUID() }],
  ])('does not open in the place of another %s', (_what, moved) => {
    expect(() => unseal(keys(old), { ...belonging, ...moved }, seal(keys(old), belonging, secret))).toThrow('moved');
  });

  it.each(['box', 'wrappedKey'] as const)('does not open with a bit of its %s changed', (part) => {
    const sealed = seal(keys(old), belonging, secret);
    for (const at of [1, 20, sealed[part].length - 1]) {
      const changed = Buffer.from(sealed[part]);
      changed[at]! ^= 1;
      expect(() => unseal(keys(old), belonging, { ...sealed, [part]: changed })).toThrow('does not open');
    }
  });

  it('is unavailable, and not lost, where its key is not known', () => {
    const sealed = seal(keys(old), belonging, secret);
    expect(() => unseal(keys(fresh), belonging, sealed)).toThrow(
      expect.objectContaining({ kind: 'unavailable', slug: 'credential-key-missing' }),
    );
    expect(() => unseal(keys({ ...fresh, id: 'old' }), belonging, sealed)).toThrow('another value under the same id');
  });
});

describe('the variable with the keys', () => {
  it.each([
    ['no JSON', 'nonsense'],
    ['no list', '{}'],
    ['an empty list', '[]'],
    ['a key of 16 bytes', JSON.stringify([{ id: 'a', key: randomBytes(16).toString('base64') }])],
    ['one id twice', JSON.stringify([newKey('a'), newKey('a')])],
  ])('is refused with %s, and the message holds nothing of it', (_what, text) => {
    const parsed = credentialKeysVariable.safeParse(text);
    expect(parsed.error?.issues.map(({ message }) => message)).toEqual([expect.stringContaining('is no JSON list')]);
  });
});
