import { describe, expect, it } from '@jest/globals';
import { fitManifests } from './fit-manifests.js';
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

  it('fits one answer, counts what it left out, and lets one executor take no room of another', () => {
    const flood = ['a', 'b', 'c', 'd', 'e'].map((instance) => ({
      ...instanceOf('aaa', []),
      instance,
      tools: Array.from({ length: 400 }, (_, n) => announcedTool({ name: `docs_${instance}_${n}` })),
    }));
    const living = [...flood, instanceOf('docs', [approvedTool()])];
    const listed = fitManifests(manifests(living, [approvedTool()]));
    expect(Buffer.byteLength(JSON.stringify(listed))).toBeLessThan(210 * 1024);
    const [aaa, docs] = listed;
    expect(aaa!.tools.length).toBeGreaterThan(300);
    expect(aaa!.tools.length + aaa!.leftOut!).toBe(2_000);
    expect(docs).toEqual(manifests(living, [approvedTool()], 'docs')[0]);
    expect(docs!.leftOut).toBeUndefined();
  });

  it('leaves out last what waits for a decision', () => {
    const approved = Array.from({ length: 20 }, (_, n) => approvedTool({ tool: `docs_${n}` }));
    const instance = instanceOf('docs', approved);
    const [docs] = fitManifests(manifests([{ ...instance, tools: [...instance.tools, announcedTool({ name: 'docs_new' })] }], approved), 2_000);
    expect(docs!.tools[0]).toMatchObject({ name: 'docs_new', state: 'proposed' });
    expect(docs!.leftOut).toBeGreaterThan(20);
  });

  it('is of one executor when asked', () => {
    expect(manifests([instanceOf('docs', [approvedTool()]), instanceOf('web', [])], [], 'web').map(({ executor }) => executor)).toEqual(['web']);
  });
});
