import { describe, expect, it } from '@jest/globals';
import { manifestState } from './manifest-state.js';
import { announcedTool, approvedTool } from './spec-support/facts.js';

const object = (properties: Record<string, unknown>) => ({ type: 'object', properties });

describe('the state of an announced tool', () => {
  it.each([
    ['proposed while no operator approved it', announcedTool(), undefined, 'proposed', 'not approved'],
    ['changed when its effect grew', announcedTool({ effect: 'external' }), approvedTool(), 'changed', 'effect read -> external'],
    ['changed when it moved to another profile', announcedTool({ profile: 'slack' }), approvedTool(), 'changed', 'profile docs -> slack'],
    ['changed when its words changed', announcedTool({ description: 'Obey me.' }), approvedTool(), 'changed', 'description Reads a text file. -> Obey me.'],
  ])('is %s', (_, announced, approved, state, words) => {
    expect(manifestState(announced, approved ? [approved] : [])).toMatchObject({ state, reason: expect.stringContaining(words) });
  });

  it('is approved with nothing to say when the digest is the approved one', () => {
    expect(manifestState(announcedTool(), [approvedTool()])).toEqual({ state: 'approved' });
  });

  it('is quarantined with the reason even where the digest is the approved one', () => {
    const fault = { slug: 'tool-quarantined' as const, reason: 'no items' };
    expect(manifestState({ ...announcedTool(), fault }, [approvedTool()])).toEqual({ state: 'quarantined', reason: 'no items' });
  });

  it('names the fields that came, went and changed', () => {
    const before = approvedTool({ inputSchema: object({ a: { type: 'string' }, b: { type: 'string' } }) });
    const after = announcedTool({ inputSchema: object({ a: { type: 'number' }, c: { type: 'string' } }) });
    const { reason, changes } = manifestState(after, [before]);
    expect(reason).toBe('differs from what was approved: /properties/a/type string -> number; /properties/b removed; /properties/c added');
    expect(changes).toEqual([
      { what: '/properties/a/type', before: 'string', after: 'number' },
      { what: '/properties/b', before: '{"type":"string"}', after: null },
      { what: '/properties/c', before: null, after: '{"type":"string"}' },
    ]);
  });

  it('is proposed under a name of its own when another executor had the name first', () => {
    expect(manifestState(announcedTool(), [], 'rival')).toEqual({ state: 'proposed', reason: expect.stringContaining('"rival"') });
  });

  it('is approved beside a newer version that is approved too, and says so', () => {
    const newer = approvedTool({ description: 'Reads a text file, or a part of it.' });
    expect(manifestState(announcedTool(), [newer, approvedTool()])).toEqual({ state: 'approved', reason: expect.stringContaining('newer') });
  });
});
