// Proves: the door to states, personas, explanations and previews: what is proved before it is signed, what is refused, and that nothing is done by halves.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { finished, openGatewayHouse, people, persona, type GatewayHouse, type StartedTurn } from '../gateway-house.fixture.js';
import { ownChat, servePeers, type NotedCall } from './rest-peers.fixture.js';

let house: GatewayHouse;
const calls: NotedCall[] = [];
const own = people['admin']!.account;

beforeAll(async () => {
  house = await openGatewayHouse();
  await servePeers(house, calls);
}, 30_000);
afterAll(() => house?.close());
beforeEach(() => {
  calls.length = 0;
  house.personas = [];
});

const read = async (response: Response): Promise<Record<string, unknown> & { status: number }> => ({ status: response.status, ...((await response.json()) as Record<string, unknown>) });
const send = async (method: string, path: string, json: unknown, as = 'user') => read(await house.ask(path, { method, json, as }));
const made = () => calls.map(({ call }) => call).filter((call) => call !== 'explain');

describe('states of many skills', () => {
  it.each([
    ['of the account', '/api/v1/me/skills', 'admin'],
    ['of a persona', '/api/v1/personas/editor/skills', 'admin'],
    ['that are locked', `/api/v1/accounts/${own}/locks`, 'admin'],
  ])('%s are changed all or not at all; those that are not there are named', async (_what, path, as) => {
    const { status, slug, detail } = await send('PATCH', path, { 'meeting-notes': 'never', nothing: 'always', 'hidden-one': 'always', gone: null }, as);
    expect({ status, slug, detail }).toEqual({ status: 404, slug: 'unknown-skill', detail: expect.stringContaining('"nothing", "hidden-one"') });
    expect(made()).toEqual([]);
    expect(await send('PATCH', path, { 'meeting-notes': 'never', gone: null }, as)).toMatchObject({ status: 200, warnings: ['Too much is always on.'] });
    expect(made()).toHaveLength(1);
  });

  it('a hidden skill is locked by an operator alone, and an unknown one by nobody', async () => {
    const lock = async (as: string, skill: string) => (await send('PUT', `/api/v1/accounts/${own}/locks/${skill}`, { state: 'always' }, as)).status;
    expect(await Promise.all([lock('admin', 'hidden-one'), lock('operator', 'hidden-one'), lock('operator', 'nothing')])).toEqual([404, 200, 404]);
  });

  it('with a state that is none change nothing', async () => {
    expect(await send('PATCH', '/api/v1/me/skills', { 'meeting-notes': 'sometimes' }, 'admin')).toMatchObject({ status: 422, slug: 'invalid-body' });
    expect(calls).toEqual([]);
  });
});

describe('states of one turn', () => {
  it('name skills that are there, or no turn begins', async () => {
    const turns = house.turns.size;
    const ask = (skills: object) => house.ask('/v1/chat/completions', { json: { model: 'default', messages: [{ role: 'user', content: 'x' }], skillgate: { skills } } });
    const refused = await ask({ 'meeting-notes': 'never', nothing: 'always', 'hidden-one': 'always' });
    const error = { code: 'unknown-skill', param: 'skillgate.skills', message: expect.stringContaining('"nothing", "hidden-one"') };
    expect([refused.status, await refused.json()]).toEqual([404, { error: expect.objectContaining(error) }]);
    expect(house.turns.size).toBe(turns);
  });
});

describe('states of a chat', () => {
  it('are for whoever has the chat, which is proved before it is signed', async () => {
    const path = `/api/v1/chats/${ownChat}/skills`;
    expect(await send('PUT', path, { 'meeting-notes': 'never' })).toMatchObject({ status: 200, chat: ownChat, warnings: ['Too much is always on.'] });
    expect(calls[0]).toMatchObject({ call: 'set-chat-skills', input: { states: { 'meeting-notes': 'never' }, replace: true } });
    expect(await send('PATCH', path, { 'meeting-notes': null })).toMatchObject({ status: 200 });
    expect((await read(await house.ask(path))).status).toBe(200);
    for (const as of ['colleague', 'admin', 'operator']) expect(await send('PUT', path, {}, as)).toMatchObject({ status: 404, slug: 'unknown-chat' });
    expect(await send('PUT', `/api/v1/chats/${randomUUID()}/skills`, {})).toMatchObject({ status: 404, slug: 'unknown-chat' });
    expect(await send('PUT', path, { 'meeting-notes': null })).toMatchObject({ status: 422, slug: 'invalid-body' });
  });
});

describe('an explanation', () => {
  it('asks what would open, and signs a chat only for whoever has it', async () => {
    await house.ask(`/api/v1/explain?skill=meeting-notes&persona=editor&chat=${ownChat}`);
    expect(calls.at(-1)).toMatchObject({ call: 'explain', input: { opens: true, skill: 'meeting-notes', persona: 'editor', chat: ownChat, signedChat: ownChat } });
    expect((await read(await house.ask(`/api/v1/explain?chat=${ownChat}`, { as: 'colleague' }))).slug).toBe('unknown-chat');
  });

  it('for who reads others\' chats is of a chat that is there, in the account that is asked about', async () => {
    const { account } = people['user']!;
    const ask = async (as: string, query: string) => read(await house.ask(`/api/v1/explain?chat=${query}`, { as }));
    expect(await ask('operator', `${ownChat}&account=${account}`)).toMatchObject({ status: 200 });
    expect(calls.at(-1)).toMatchObject({ call: 'explain', input: { chat: ownChat, account } });
    expect(calls.at(-1)!.input).not.toHaveProperty('signedChat'); // the roles in the ticket decide
    calls.length = 0;
    expect(await ask('operator', ownChat)).toMatchObject({ status: 404, slug: 'unknown-chat' }); // not in the operator's own account
    expect(await ask('admin', ownChat)).toMatchObject({ status: 404, slug: 'unknown-chat' });
    expect(await ask('operator', `${randomUUID()}&account=${account}`)).toMatchObject({ status: 404, slug: 'unknown-chat' });
    expect(calls).toEqual([]);
  });

  it('refuses a question that nobody reads', async () => {
    expect(await read(await house.ask('/api/v1/explain?user=me'))).toMatchObject({ status: 422, slug: 'invalid-query', param: 'user' });
  });
});

describe('a persona', () => {
  it('is a model id among the others, and alone', async () => {
    house.personas = [persona()];
    const { data } = (await (await house.ask('/v1/models')).json()) as { data: { id: string }[] };
    expect(data.map(({ id }) => id)).toEqual(['default', 'other', 'persona/editor']);
    expect((await house.ask('/v1/models/persona%2Feditor')).status).toBe(200);
    expect((await house.ask('/v1/models/persona%2Fnobody')).status).toBe(404);
  });

  it('given as a model is signed into the ticket, with an epoch that knows it, and brings its model along', async () => {
    const editor = persona();
    house.personas = [editor];
    let turn: StartedTurn | undefined;
    house.onTurn = (started) => {
      turn = started;
      started.outcome = finished('Hi');
      started.say({ attempt: 1, n: 0, body: { type: 'ended', outcome: started.outcome } });
    };
    const chat = (model: string) => house.ask('/v1/chat/completions', { json: { model, messages: [{ role: 'user', content: 'x' }] } });
    expect((await chat('persona/editor')).status).toBe(200);
    expect(turn!.ticket).toMatchObject({ persona: { id: editor.id, slug: 'editor', revision: 2 }, policyEpoch: 9 });
    expect(turn!.input.model).toBeUndefined();
    expect((await chat('default')).status).toBe(200);
    expect([turn!.input.model, turn!.ticket.persona]).toEqual(['default', undefined]);
    const unknown = ['persona/nobody', 'persona/', 'persona/Not A Slug', `persona/${'editor'.padEnd(65, 'r')}`].map((model) => [model, 404, 'unknown-model'] as const);
    const unreadable = ['persona/\0', 'persona/\ud800'].map((model) => [model, 400, 'invalid-request'] as const);
    for (const [model, ...answer] of [...unknown, ...unreadable]) {
      const refused = await chat(model);
      expect([refused.status, ((await refused.json()) as { error: { code: string } }).error.code]).toEqual(answer);
    }
  });

  it('is made with skills and a model that are there', async () => {
    const make = (more: object) => send('POST', '/api/v1/personas', { slug: 'coach', name: 'Coach', ...more }, 'admin');
    expect(await make({ skills: { nothing: 'never' } })).toMatchObject({ status: 404, slug: 'unknown-skill' });
    expect(await make({ model: 'gone' })).toMatchObject({ status: 404, slug: 'unknown-model' });
    expect(await make({ model: 'persona/editor' })).toMatchObject({ status: 404, slug: 'unknown-model' });
    expect(made()).toEqual([]);
    expect(await make({ model: 'other', skills: { 'meeting-notes': 'always' } })).toMatchObject({ status: 201, modelId: 'persona/coach', warnings: ['Too much is always on.'] });
  });

  it('is looked at before it speaks', async () => {
    house.personas = [persona()];
    for (const query of ['persona=editor', 'model=persona/editor']) {
      await house.ask(`/api/v1/catalog:preview?${query}&chat=${ownChat}`);
      expect(calls.at(-1)).toMatchObject({ call: 'preview-catalog', input: { chat: ownChat, persona: 'editor', policyEpoch: 9 } });
    }
    await house.ask('/api/v1/catalog:preview?persona=editor&model=other');
    expect(calls.at(-1)).toMatchObject({ input: { model: 'other', persona: 'editor' } });
    expect((await read(await house.ask(`/api/v1/catalog:preview?chat=${ownChat}`, { as: 'admin' }))).slug).toBe('unknown-chat');
    expect((await read(await house.ask('/api/v1/catalog:preview?persona=nobody'))).slug).toBe('unknown-persona');
  });
});
