import { describe, expect, it } from '@jest/globals';
import { canonicalJson, manifestDigest } from './manifest-digest.js';

const tool = {
  name: 'docs_read_text',
  profile: 'docs',
  effect: 'read' as const,
  description: 'Reads a text file.',
  inputSchema: { type: 'object', properties: { id: { type: 'string' } } },
};

describe('the digest of a manifest', () => {
  it('does not depend on the order of keys', () => {
    const turned = { ...tool, inputSchema: { properties: { id: { type: 'string' } }, type: 'object' } };
    expect(manifestDigest(turned)).toBe(manifestDigest(tool));
  });

  it.each([{ effect: 'write' as const }, { profile: 'slack' }, { description: 'Reads any file.' }, { inputSchema: { type: 'object' } }])(
    'changes with %j',
    (change) => {
      expect(manifestDigest({ ...tool, ...change })).not.toBe(manifestDigest(tool));
    },
  );

  it('leaves out what JSON leaves out', () => {
    expect(canonicalJson({ b: [1, undefined], a: undefined, c: null })).toBe('{"b":[1,null],"c":null}');
  });
});
