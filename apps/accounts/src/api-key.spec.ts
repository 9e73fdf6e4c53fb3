import { describe, expect, it } from '@jest/globals';
import { apiKeyShape, markOf, newApiKey } from './api-key.js';

describe('an API key', () => {
  it('has the shape that the house announces, and never comes twice', () => {
    const keys = Array.from({ length: 50 }, newApiKey);
    expect(keys.filter((key) => !apiKeyShape.test(key))).toEqual([]);
    expect(new Set(keys).size).toBe(50);
  });

  it('leaves a hash and a short prefix behind, not the secret', () => {
    const secret = newApiKey();
    const { hash, prefix } = markOf(secret);
    expect(hash).toHaveLength(32);
    expect(secret.startsWith(prefix)).toBe(true);
    expect(prefix).toHaveLength(12);
    expect(hash.toString('utf8')).not.toContain(secret.slice(12));
  });

  it('is found again by the same hash and by no other', () => {
    const secret = newApiKey();
    expect(markOf(secret).hash.equals(markOf(secret).hash)).toBe(true);
    expect(markOf(secret).hash.equals(markOf(`${secret.slice(0, -1)}!`).hash)).toBe(false);
  });
});
