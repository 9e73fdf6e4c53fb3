import { describe, expect, it } from '@jest/globals';
import { manifests } from './list-manifests.js';
import { announcedTool, approvedTool, instanceOf } from './spec-support/facts.js';

describe('the list of manifests', () => {
  it('shows an approved executor that is silent, and says so', () => {
    const tools = [{ name: 'docs_read_text', state: 'approved', reason: 'no living instance announces it' }];
    expect(manifests([], [approvedTool()])).toMatchObject([{ executor: 'docs', version: 'not heard', instances: 0, tools }]);
  });

  it('shows both manifests while two versions run side by side', () => {
    const old = instanceOf('docs', [approvedTool()]);
    const young = { ...old, instance: 'docs-2', version: '2.0.0', tools: [announcedTool({ effect: 'write' })] };
    const [docs] = manifests([young, old], [approvedTool()]);
    expect(docs).toMatchObject({ version: '2.0.0', instances: 2 });
    expect(docs!.tools.map(({ effect, state }) => [effect, state])).toEqual([
      ['write', 'changed'],
      ['read', 'approved'],
    ]);
  });

  it('shows a tool once, however many instances announce it', () => {
    const one = instanceOf('docs', [approvedTool()]);
    expect(manifests([one, { ...one, instance: 'docs-2' }], [])[0]!.tools).toHaveLength(1);
  });
});
