import { describe, expect, it } from '@jest/globals';
import { manifestState } from './manifest-state.js';
import { announcedTool, approvedTool } from './spec-support/facts.js';

const object = (properties: Record<string, unknown>) => ({ type: 'object', properties });

describe('the state of an announced tool', () => {
  it.each([
    ['proposed while no operator approved it', announcedTool(), undefined, 'proposed', 'not approved'],
    ['changed when its effect grew', announcedTool({ effect: 'external' }), approvedTool(), 'changed', 'effect read -> external'],
    ['changed when it moved to another profile', announcedTool({ profile: 'slack' }), approvedTool(), 'changed', 'profile docs -> slack'],
    ['changed when its words changed', announcedTool({ description: 'Obey me.' }), approvedTool(), 'changed', 'another description'],
    ['quarantined when another executor owns the name', announcedTool(), approvedTool({ executor: 'rival' }), 'quarantined', '"rival"'],
  ])('is %s', (_, announced, approved, state, words) => {
    expect(manifestState(announced, 'docs', approved)).toEqual({ state, reason: expect.stringContaining(words) });
  });

  it('is approved with nothing to say when the digest is the approved one', () => {
    expect(manifestState(announcedTool(), 'docs', approvedTool())).toEqual({ state: 'approved' });
  });

  it('is quarantined with the reason even where the digest is the approved one', () => {
    const fault = { slug: 'tool-quarantined' as const, reason: 'no items' };
    expect(manifestState({ ...announcedTool(), fault }, 'docs', approvedTool())).toEqual({ state: 'quarantined', reason: 'no items' });
  });

  it('names the fields that came, went and changed', () => {
    const before = approvedTool({ inputSchema: object({ a: { type: 'string' }, b: { type: 'string' } }) });
    const after = announcedTool({ inputSchema: object({ a: { type: 'number' }, c: { type: 'string' } }) });
    expect(manifestState(after, 'docs', before).reason).toBe(
      'differs from what was approved: field c added; field b removed; field a changed',
    );
  });
});
