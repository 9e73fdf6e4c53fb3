// Proves: the door to a user's own chats: who asks is signed, what is asked is checked, and an export that breaks off is seen to.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { chatExport, deleteChat, exportChat, listChats, renameChat, searchChats, type ExportedTurn } from '@skillgate/contracts/calls/chats';
import { refuse, unavailable } from '@skillgate/contracts/refusal';
import { decodeJwt } from 'jose';
import { openGatewayHouse, people, type GatewayHouse } from '../gateway-house.fixture.js';

let house: GatewayHouse;
const [chat, broken]: string[] = [randomUUID(), randomUUID()] as [string, string];
const at = '2026-11-30T12:00:00.000Z';
const summary = { chat, title: 'Rent', named: false, model: 'm', persona: null, createdAt: at, lastTurnAt: at, turns: 1 };
const asked: { call: string; input: object; user: string; turn?: string; roles?: string[] }[] = [];

const turn = (content: string): ExportedTurn => ({
  ...{ turn: randomUUID(), model: 'm', status: 'finished', startedAt: at, endedAt: at, usage: null, artifacts: [] },
  messages: [{ role: 'user', content }],
});

beforeAll(async () => {
  house = await openGatewayHouse();
  const { orchestrator } = house.wires;
  const own = <I, O>(call: string, answer: (input: I) => O) => async (given: I): Promise<O> => {
    const { ticket, authority, ...input } = given as { ticket?: string; authority?: string };
    const { user, turn: signed, roles } = decodeJwt<{ user: string; turn?: string; roles?: string[] }>((ticket ?? authority)!);
    asked.push({ call, input, user, turn: signed, roles });
    const named = (input as { chat?: string }).chat;
    if (named && (![chat, broken].includes(named) || user !== people['user']!.user)) throw refuse('unknown-chat', 'You have no such chat.');
    return answer(given);
  };
  const hearings = [
    orchestrator.serve(listChats, own('list', () => ({ chats: [summary], next: null }))),
    orchestrator.serve(searchChats, own('search', () => ({ passages: [], complete: true }))),
    orchestrator.serve(renameChat, own('rename', ({ title }) => ({ ...summary, title: title ?? 'Rent', named: title !== null }))),
    orchestrator.serve(deleteChat, own('delete', ({ chat: id }) => ({ chat: id, deleted: true as const }))),
    orchestrator.serve(exportChat, own('export', ({ chat: id, from }) => {
      if (id === broken && from > 0) throw unavailable('database-down', 'Away.');
      return { about: { ...summary, chat: id }, turns: [turn(`page ${from}`)], next: from < 2 ? from + 1 : null };
    })),
  ];
  await Promise.all(hearings.map(({ ready }) => ready));
}, 30_000);
afterAll(() => house?.close());
beforeEach(() => void (asked.length = 0));

describe('the own chats', () => {
  it.each([
    ['are listed', '/api/v1/chats?limit=3&before=2026-11-30T12:00:00.000001Z_' + chat, 'list', { limit: 3, before: `2026-11-30T12:00:00.000001Z_${chat}` }],
    ['are listed, fifty unless told otherwise', '/api/v1/chats', 'list', { limit: 50 }],
    ['are searched', '/api/v1/chats:search?query=%E5%AE%B6%E8%B3%83', 'search', { query: '家賃', limit: 10 }],
  ])('%s in the name of who asks', async (_, path, call, input) => {
    expect((await house.ask(path)).status).toBe(200);
    expect(asked).toMatchObject([{ call, input, user: people['user']!.user, turn: undefined }]);
  });

  it.each([
    ['/api/v1/chats?limit=0', 'limit: must be at least 1.'],
    ['/api/v1/chats?limit=201', 'limit: must be at most 200.'],
    ['/api/v1/chats?limit=few', 'limit: must be a number.'],
    ['/api/v1/chats?limit=1.5', 'limit: must be a whole number.'],
    ['/api/v1/chats?before=yesterday', 'before: must be the `next` of the page before, unchanged; leave it out for the first page.'],
    ['/api/v1/chats?after=x', 'Unknown field "after". Remove it; GET /openapi.json lists the fields that are read.'],
    ['/api/v1/chats:search', 'query: is missing; it must be a text.'],
    ['/api/v1/chats:search?query=', 'query: must not be empty.'],
    [`/api/v1/chats:search?query=${'x'.repeat(501)}`, 'query: must have at most 500 characters.'],
    ['/api/v1/chats:search?query=x&limit=51', 'limit: must be at most 50.'],
  ])('%s is refused with the part at fault, in words for people', async (path, detail) => {
    const response = await house.ask(path);
    expect(response.status).toBe(422);
    expect(await response.json()).toMatchObject({ slug: 'invalid-query', detail });
    expect(asked).toEqual([]);
  });

  it('are named and deleted with the roles of who asks, for the log', async () => {
    expect(await (await house.ask(`/api/v1/chats/${chat}`, { method: 'PATCH', json: { title: 'Flat' } })).json()).toMatchObject({ title: 'Flat', named: true });
    expect(await (await house.ask(`/api/v1/chats/${chat}`, { method: 'PATCH', json: { title: null } })).json()).toMatchObject({ named: false });
    expect(await (await house.ask(`/api/v1/chats/${chat}`, { method: 'DELETE' })).json()).toEqual({ chat, deleted: true });
    expect(asked.map(({ call, roles }) => [call, roles])).toEqual([['rename', ['user']], ['rename', ['user']], ['delete', ['user']]]);
  });

  it.each([[{}], [{ title: '' }], [{ title: 'x'.repeat(201) }], [{ title: 'a\0b' }], [{ title: 'a\u202eb' }], [{ title: '   ' }], [{ title: 'a\nb' }], [{ title: 'a', more: 1 }]])('take no name like %j', async (json) => {
    expect((await house.ask(`/api/v1/chats/${chat}`, { method: 'PATCH', json })).status).toBe(422);
    expect(asked).toEqual([]);
  });

  it.each(['colleague', 'admin', 'operator'])("are nobody else's: %s", async (as) => {
    for (const [method, path, json] of [['PATCH', '', { title: 'x' }], ['DELETE', ''], ['GET', '/export']] as const) {
      const response = await house.ask(`/api/v1/chats/${chat}${path}`, { method, as, ...(json ? { json } : {}) });
      expect([method, response.status, ((await response.json()) as { slug: string }).slug]).toEqual([method, 404, 'unknown-chat']);
    }
  });
});

describe('an export', () => {
  it('is one document of all pages, to be saved', async () => {
    const response = await house.ask(`/api/v1/chats/${chat}/export`);
    expect([response.headers.get('content-type'), response.headers.get('content-disposition')]).toEqual([
      'application/json; charset=utf-8',
      `attachment; filename=chat-${chat}.json`,
    ]);
    const { turns, ...head } = chatExport.parse(await response.json());
    expect(head).toMatchObject({ format: 'skillgate.chat/1', chat, title: 'Rent' });
    expect(turns.map(({ messages }) => messages[0])).toEqual([0, 1, 2].map((n) => ({ role: 'user', content: `page ${n}` })));
  });

  it('that fails behind its first page breaks off, and is no whole document', async () => {
    const response = await house.ask(`/api/v1/chats/${broken}/export`);
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow();
  });
});
