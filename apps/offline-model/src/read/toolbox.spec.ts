import { describe, expect, it } from '@jest/globals';
import { readToolbox, unwrap, wrap } from './toolbox.js';

const object = (properties: object, required: string[] = []): { [key: string]: unknown } => ({ type: 'object', properties, required });
const gate = { name: 'gate', description: 'Load a skill before you work.', parameters: object({ slug: { type: 'string' } }, ['slug']) };
const index = { name: 'index', description: 'List the skills that can be loaded.', parameters: object({ query: { type: 'string' } }) };
const bridge = {
  name: 'pass',
  description: 'Call a tool that a skill opened.',
  parameters: object({ name: { type: 'string' }, arguments: { type: 'object' } }, ['name', 'arguments']),
};
const schema = object({ artifact: { type: 'string' } }, ['artifact']);

describe('the toolbox of a request', () => {
  it('tells the loading function by its description and parameter', () => {
    expect(readToolbox([index, gate], []).loader).toEqual({ name: 'gate', parameter: 'slug' });
    expect(readToolbox([index], []).loader).toBeUndefined();
  });

  it('takes schemas from the text only where there is a bridge to them', () => {
    const text = `<tools>\n${JSON.stringify({ name: 'peek', description: 'Peeks.', arguments: schema })}\n</tools>`;
    expect(readToolbox([gate, index], [text]).callable.map((tool) => tool.name)).toEqual(['index']);
    expect(readToolbox([gate, index, bridge], [text]).callable).toEqual([
      index,
      { name: 'peek', description: 'Peeks.', parameters: schema },
    ]);
  });

  it.each([
    ['a list in an object', JSON.stringify({ tools: [{ name: 'peek', inputSchema: schema }] })],
    ['the protocol’s own form', JSON.stringify([{ type: 'function', function: { name: 'peek', parameters: schema } }])],
    ['an element', `<tool name="peek">Peeks into things. ${JSON.stringify(schema)}</tool>`],
    ['prose with braces around it', `Use {this} and [that]. ${JSON.stringify({ name: 'peek', input_schema: schema })}`],
  ])('reads schemas from %s', (_, text) => {
    expect(readToolbox([bridge], [text]).callable).toMatchObject([{ name: 'peek', parameters: schema }]);
  });

  it('does not take an example of a call for a schema', () => {
    expect(readToolbox([bridge], ['"type": {"name":"peek","arguments":{"artifact":"x"}}']).callable).toEqual([]);
  });

  it('sends calls over the bridge and opens them again', () => {
    const toolbox = readToolbox([gate, bridge], []);
    const sent = wrap('peek', { artifact: 'x' }, toolbox, [gate, bridge]);
    expect(sent).toEqual({ name: 'pass', arguments: { name: 'peek', arguments: { artifact: 'x' } } });
    const call = { id: '1', name: sent.name, arguments: JSON.stringify(sent.arguments), result: '' };
    expect(unwrap(call, toolbox.bridge)).toMatchObject({ name: 'peek', arguments: '{"artifact":"x"}' });
  });
});
