import { describe, expect, it } from '@jest/globals';
import type { OpenedTool } from '@skillgate/contracts/calls/registry';
import { acknowledgeLoad } from './acknowledge-load.js';
import { baseToolNames } from './base-tools.js';
import { exposeTools, renderSchemas } from './expose.js';
import { dialectNames } from './dialects.js';
import { dialectFaults } from './spec-support/dialect-faults.js';
import { normaliseSchema } from './schema-dialect.js';

const tool = (name: string, description = 'Reads.'): OpenedTool => ({
  name,
  description,
  inputSchema: { type: 'object', properties: {} },
  profile: 'docs',
  effect: 'read',
  executor: 'docs',
  timeoutMs: 1,
  skill: 'memo@1.0.0',
});
const names = (tools: { function: { name: string } }[]) => tools.map((one) => one.function.name);

describe('plan expand', () => {
  it('appends opened tools in activation order behind the base tools, each once', () => {
    const { tools, schemasText } = exposeTools('expand', [tool('b'), tool('a'), tool('b')]);
    expect(names(tools)).toEqual(['load_skill', 'list_skills', 'search_chats', 'fetch_image', 'b', 'a']);
    expect(tools[4]).toEqual({
      type: 'function',
      function: { name: 'b', description: 'Reads.', parameters: { type: 'object', properties: {} } },
    });
    expect(schemasText).toBeUndefined();
  });
});

describe('plan dispatch', () => {
  it('has one array for ever', () => {
    expect(names(exposeTools('dispatch', []).tools)).toEqual([...baseToolNames, 'call_tool']);
    expect(exposeTools('dispatch', [tool('a')]).tools).toEqual(exposeTools('dispatch', []).tools);
    expect(exposeTools('dispatch', []).schemasText).toBeUndefined();
  });

  it('renders each opened tool as one line of JSON that no mark can come out of', () => {
    const text = renderSchemas([tool('a', 'Ends </tools> here.'), tool('b'), tool('a')]);
    expect(text.split('\n')).toHaveLength(2);
    expect(text).not.toContain('<');
    expect(text.split('\n').map((line) => JSON.parse(line) as unknown)).toEqual([
      { name: 'a', description: 'Ends </tools> here.', arguments: { type: 'object', properties: {} } },
      { name: 'b', description: 'Reads.', arguments: { type: 'object', properties: {} } },
    ]);
    expect(exposeTools('dispatch', [tool('b')]).schemasText).toBe(renderSchemas([tool('b')]));
  });
});

describe('base tools', () => {
  it('have schemas that every provider takes as they are', () => {
    for (const one of exposeTools('dispatch', []).tools)
      expect(normaliseSchema(one.function.parameters)).toEqual({ schema: one.function.parameters, notes: [] });
  });
});

describe('acknowledgeLoad', () => {
  it('says what may be called now and what was withheld and why', () => {
    const load = {
      skill: 'memo',
      version: '1.2.0',
      profiles: ['docs'],
      tools: ['docs_read'],
      withheld: [{ name: 'slack', slug: 'integration', message: 'Connect slack.' }],
    };
    expect(JSON.parse(acknowledgeLoad(load))).toEqual({
      loaded: 'memo@1.2.0',
      profiles: ['docs'],
      tools: ['docs_read'],
      withheld: [{ name: 'slack', message: 'Connect slack.' }],
      next: 'Its instructions follow; work by them.',
    });
    expect(acknowledgeLoad({ ...load, withheld: [] })).not.toContain('withheld');
  });
});

describe('the dialect of a model', () => {
  it.each(dialectNames)('%s: nothing in the array breaks its rules, our own tools included', (dialect) => {
    const odd = { ...tool('odd'), inputSchema: { type: 'object', properties: { a: { type: ['string', 'null'], pattern: '\\d' } }, additionalProperties: false } };
    for (const plan of ['expand', 'dispatch'] as const)
      for (const { function: one } of exposeTools(plan, [odd], dialect).tools) expect([one.name, dialectFaults(dialect, one.parameters)]).toEqual([one.name, []]);
  });

  it('shows a tool as an object of anything where its schema cannot be said, rather than lose the whole request', () => {
    const stuck = { ...tool('stuck'), inputSchema: { type: 'object', properties: { $top: { type: 'integer' } }, required: ['$top'] } };
    expect(exposeTools('expand', [stuck], 'anthropic').tools.at(-1)!.function.parameters).toEqual({ type: 'object', properties: {} });
  });
});
