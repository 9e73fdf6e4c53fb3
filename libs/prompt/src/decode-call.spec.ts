import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { OpenedTool } from '@skillgate/contracts/calls/registry';
import { baseToolNames } from './base-tools.js';
import { decodeCall } from './decode-call.js';

const tool = (name: string): OpenedTool => ({
  name,
  description: '',
  inputSchema: {},
  profile: 'docs',
  effect: 'read',
  executor: 'docs',
  timeoutMs: 1,
  skill: 'memo@1.0.0',
});
const opened = [tool('docs_read'), tool('docs_write')];
const decode = (plan: 'expand' | 'dispatch', name: string, args: string | null) =>
  decodeCall(plan, { name, arguments: args }, opened, baseToolNames);

describe('a call by name', () => {
  it.each([
    ['an opened tool', 'docs_read', '{"id":1}', 'tool', { id: 1 }],
    ['a base tool', 'load_skill', '{"slug":"memo"}', 'base', { slug: 'memo' }],
    ['no arguments', 'docs_read', '', 'tool', {}],
    ['blank arguments', 'docs_read', ' \n', 'tool', {}],
    ['null as arguments', 'docs_read', 'null', 'tool', {}],
    ['absent arguments', 'docs_read', null, 'tool', {}],
    ['arguments in a JSON string', 'docs_read', '"{\\"id\\":1}"', 'tool', { id: 1 }],
    ['arguments in a JSON string in a JSON string', 'docs_read', JSON.stringify(JSON.stringify('{"id":1}')), 'tool', { id: 1 }],
    ['an empty JSON string', 'docs_read', '""', 'tool', {}],
  ])('means the same in both plans: %s', (_what, name, args, kind, value) => {
    for (const plan of ['expand', 'dispatch'] as const) expect(decode(plan, name, args)).toEqual({ kind, name, arguments: value });
  });

  it.each([
    ['truncated JSON', '{"id":', 'stop in the middle'],
    ['a text that was cut', '{"text":"abc', 'stop in the middle'],
    ['two objects', '{"id":1}{"id":2}', 'not valid JSON'],
    ['a raw line break in a text', '{"text":"a\nb"}', 'escaped'],
    ['a list', '[1]', 'a list'],
    ['a number', '1', 'a number'],
    ['a text', '"docs"', 'not valid JSON'],
  ])('with %s is answered with what to do', (_what, args, message) => {
    const decoded = decode('expand', 'docs_read', args);
    expect(decoded).toMatchObject({ kind: 'bad-arguments', name: 'docs_read', arguments: {} });
    expect(decoded.message).toContain(message);
    expect(decoded.message).toContain('call again with one');
  });

  it('of a tool that is not open names those that are', () => {
    expect(decode('expand', 'google_send_mail', '{}')).toEqual({
      kind: 'unknown',
      name: 'google_send_mail',
      arguments: {},
      message:
        'There is no open tool "google_send_mail". Open now: load_skill, list_skills, search_chats, fetch_image, docs_read, docs_write. ' +
        'If a skill in the catalog fits, load it first; otherwise go on without the tool and say so.',
    });
  });

  it('of a tool that is not open is unknown, also with broken arguments', () => {
    expect(decode('expand', 'constructor', '{').kind).toBe('unknown');
  });

  it('does not list more names than help', () => {
    const many = Array.from({ length: 100 }, (_, at) => tool(`docs_${at}`));
    expect(decodeCall('expand', { name: 'x', arguments: '' }, many, baseToolNames).message).toContain('and 74 more');
  });

  it('call_tool does not exist in plan expand', () => {
    expect(decode('expand', 'call_tool', '{"name":"docs_read","arguments":{}}')).toMatchObject({
      kind: 'unknown',
      message: expect.stringContaining('by its own name'),
    });
  });
});

describe('a call through call_tool', () => {
  it.each([
    ['an object', '{"name":"docs_read","arguments":{"id":1}}', { id: 1 }],
    ['an object in a string', '{"name":"docs_read","arguments":"{\\"id\\":1}"}', { id: 1 }],
    ['the whole call in a string', JSON.stringify('{"name":"docs_read","arguments":{"id":1}}'), { id: 1 }],
    ['no arguments', '{"name":"docs_read"}', {}],
    ['null', '{"name":"docs_read","arguments":null}', {}],
  ])('is the call inside it: %s', (_what, args, value) => {
    expect(decode('dispatch', 'call_tool', args)).toEqual({ kind: 'tool', name: 'docs_read', arguments: value });
  });

  it('reaches base tools as well', () => {
    expect(decode('dispatch', 'call_tool', '{"name":"load_skill","arguments":{"slug":"memo"}}')).toEqual({
      kind: 'base',
      name: 'load_skill',
      arguments: { slug: 'memo' },
    });
  });

  it.each([
    ['itself', '{"name":"call_tool","arguments":{"name":"docs_read"}}', 'bad-arguments', 'cannot call itself'],
    ['nothing', '{}', 'bad-arguments', 'needs "name"'],
    ['a number', '{"name":7}', 'bad-arguments', 'needs "name"'],
    ['truncated JSON', '{"name":"docs_read","argum', 'bad-arguments', 'stop in the middle'],
    ['truncated inner JSON', '{"name":"docs_read","arguments":"{\\"id\\":"}', 'bad-arguments', 'stop in the middle'],
    ['a list of arguments', '{"name":"docs_read","arguments":[1]}', 'bad-arguments', 'a list'],
    ['arguments beside it', '{"name":"docs_read","id":1}', 'bad-arguments', '"id" stands beside "arguments"'],
    ['a tool that is not open', '{"name":"delete_all","arguments":{}}', 'unknown', 'no open tool "delete_all"'],
  ])('of %s is refused', (_what, args, kind, message) => {
    const decoded = decode('dispatch', 'call_tool', args);
    expect(decoded.kind).toBe(kind);
    expect(decoded.message).toContain(message);
  });
});

describe('every call', () => {
  it('is decoded to an open or a base tool, or to a message; never to anything else, and never by an exception', () => {
    const names = fc.oneof(fc.constantFrom('docs_read', 'load_skill', 'call_tool', '__proto__', ''), fc.string());
    const texts = fc.oneof(
      fc.string(),
      fc.json(),
      names.map((name) => JSON.stringify({ name, arguments: {} })),
    );
    fc.assert(
      fc.property(fc.constantFrom('expand' as const, 'dispatch' as const), names, texts, (plan, name, args) => {
        const decoded = decode(plan, name, args);
        if (decoded.kind === 'tool') expect(opened.map((one) => one.name)).toContain(decoded.name);
        else if (decoded.kind === 'base') expect(baseToolNames).toContain(decoded.name);
        else expect(decoded.message!.length).toBeGreaterThan(20);
      }),
    );
  });
});
