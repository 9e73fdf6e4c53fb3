// Proves: whoever asks with another's id, of another account or of another user of the own one, gets what an id that was
// never given gets. Made from the OpenAPI document: a route or an id that this file does not know makes it fail.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { bodyWith, operations, placeName, type IdPlace, type Operation } from './isolation-cases.fixture.js';
import { type Belongings, chatWords, newAccount, newUser, nothing, startAskingHouse } from './isolation-world.fixture.js';
import type { TestHouse } from './test-house.fixture.js';

type Kind = Exclude<keyof Belongings, 'secret' | 'name'>;

/** What stands in each place: the id of somebody's thing, or `name` for what is nobody's (skills, tiers, numbers, words). */
const places: Record<string, Kind | 'name'> = {
  'path account': 'account',
  'path user': 'user',
  'path key': 'key',
  'path turn': 'turn',
  'path artifact': 'artifact',
  'path chat': 'chat',
  'path persona': 'persona',
  'query chat': 'chat',
  'query persona': 'persona',
  'query skill': 'name',
  'query model': 'name',
  'path approval': 'approval',
  'GET /api/v1/account-skills/{skill} path skill': 'accountSkill',
  'POST /api/v1/account-skills/{skill}/submit path skill': 'accountSkill',
  'POST /api/v1/account-skills/{skill}/review path skill': 'accountSkill',
  'POST /api/v1/account-skills/{skill}/retire path skill': 'accountSkill',
  'path model': 'name',
  'path skill': 'name',
  'path integration': 'name',
  'path tier': 'name',
  'path executor': 'name',
  'path profile': 'name',
  'path tool': 'name',
  'query profile': 'name',
  'query account': 'account',
  'query user': 'user',
  'query before': 'cursor',
  'path version': 'name',
  'query path': 'name', // of a file in a package of the platform
  'query mode': 'name',
  'query executor': 'name',
  'query action': 'name',
  'query limit': 'name',
  'query name': 'name',
  'query query': 'name', // words
  'query status': 'name',
  'query progress': 'name',
  'query include_usage': 'name',
  'query last_event_id': 'name', // a place in the turn that the path names
  // What an outside system sent: secrets of one use, of which none is ever shown to anybody else.
  'query state': 'name',
  'query code': 'name',
  'query error': 'name',
  'query error_description': 'name',
  'query iss': 'name',
  'body skillgate.chat_id': 'chat',
  'body skillgate.artifacts[]': 'artifact',
  'body user': 'user',
  'GET /api/v1/accounts query after': 'account',
  'GET /api/v1/accounts/{account}/users query after': 'user',
  'POST /api/v1/credentials:rotate body after': 'name', // a place in the operator's own walk over all accounts
};

const names: Record<string, string> = { model: 'x', skill: 'meeting-notes', version: '1.0.0', integration: 'slack', tier: 'pro', executor: 'docs', profile: 'docs', tool: 'docs_read_text' };

/** A body that is read without complaint, for each operation that reads one. */
const bodies: Record<string, object> = {
  'POST /v1/chat/completions': chatWords,
  'PUT /api/v1/me/skills/{skill}': { state: 'available' },
  'PATCH /api/v1/me/skills': { 'meeting-notes': 'available' },
  'POST /api/v1/personas': { slug: 'eve', name: 'Eve' },
  'PATCH /api/v1/personas/{persona}': { name: 'Eve' },
  'PATCH /api/v1/personas/{persona}/skills': { 'meeting-notes': 'never' },
  'PATCH /api/v1/chats/{chat}': { title: 'Eve' },
  'PUT /api/v1/chats/{chat}/skills': { 'meeting-notes': 'always' },
  'PATCH /api/v1/chats/{chat}/skills': { 'meeting-notes': null },
  'PATCH /api/v1/accounts/{account}/locks': { 'meeting-notes': 'never' },
  'POST /api/v1/accounts': { name: 'A', tier: 'pro' },
  'PUT /api/v1/accounts/{account}/tier': { tier: 'free' },
  'PUT /api/v1/accounts/{account}/capabilities': { capabilities: ['sandbox'] },
  'PUT /api/v1/accounts/{account}/limits': { turnsPerDay: 0 },
  'POST /api/v1/accounts/{account}/users': { name: 'Eve' },
  'PATCH /api/v1/accounts/{account}/users/{user}': { name: 'Eve' },
  'POST /api/v1/accounts/{account}/keys': { name: 'Eve' },
  'PUT /api/v1/accounts/{account}/locks/{skill}': { state: 'never' },
  'PUT /api/v1/accounts/{account}/integrations/{integration}': { connected: true },
  'PUT /api/v1/integrations/{integration}/credential': { fields: { key: 'x' } },
  'PUT /api/v1/tiers/{tier}': { capabilities: [], limits: {} },
  'POST /api/v1/credentials:rotate': {},
  'POST /api/v1/tools:preview': { profiles: ['docs'] },
  'PATCH /api/v1/profiles/{profile}/policy': { external: 'confirm' },
  'PATCH /api/v1/accounts/{account}/profiles/{profile}/policy': { external: 'confirm' },
  'POST /api/v1/approvals/{approval}/edit': { arguments: {} },
  'POST /api/v1/approvals/{approval}/deny': {},
  'POST /api/v1/skills': { files: [] },
  'POST /api/v1/skills:validate': { files: [] },
  'POST /api/v1/skills/{skill}/retire': { version: '1.0.0' },
  'PUT /api/v1/skills/{skill}/current': { version: '1.0.0' },
  'PUT /api/v1/skills/{skill}/update-policy': { policy: 'pin' },
  'PUT /api/v1/accounts/{account}/update-policies/{skill}': { policy: 'pin' },
  'POST /api/v1/account-skills': { files: [] },
  'POST /api/v1/account-skills/{skill}/submit': {},
  'POST /api/v1/account-skills/{skill}/review': { verdict: 'publish' },
  'POST /api/v1/account-skills/{skill}/retire': {},
  'POST /api/v1/accounts/{account}/tools/{tool}/call': { arguments: {} },
  'POST /api/v1/manifests/{executor}/approve': { tools: [{ name: 'x', schemaDigest: 'x' }] },
  'POST /api/v1/manifests/{executor}/withdraw': { tools: [{ name: 'x', schemaDigest: 'x' }] },
};

const kindOf = (operation: Operation, place: IdPlace) => places[`${operation.name} ${placeName(place)}`] ?? places[placeName(place)];
const idPlaces = operations().flatMap((operation) =>
  operation.places.flatMap((place) => {
    const kind = kindOf(operation, place);
    return kind && kind !== 'name' ? [{ operation, place, kind }] : [];
  }),
);

describe('the table of this spec', () => {
  it('knows every place of the API in which an id can stand', () => {
    const all = operations().flatMap((operation) => operation.places.map((place) => [operation, place] as const));
    const unknown = all.filter(([operation, place]) => !kindOf(operation, place));
    expect(unknown.map(([{ name }, place]) => `${name} ${placeName(place)}`)).toEqual([]);
    expect(idPlaces.length).toBeGreaterThan(30);
  });

  it('has a body for every operation that reads one', () => {
    const reading = operations().filter(({ readsJson }) => readsJson);
    expect(reading.map(({ name }) => name).filter((name) => !bodies[name])).toEqual([]);
  });
});

describe("another's id", () => {
  let t: TestHouse;
  let [user, admin, colleague, stranger]: Belongings[] = [];

  beforeAll(async () => {
    t = await startAskingHouse();
    const [mine, theirs] = [await newAccount(t, 'mine'), await newAccount(t, 'theirs-4711')];
    user = await newUser(t, mine, 'user', ['user']);
    admin = await newUser(t, mine, 'admin', ['user', 'admin']);
    colleague = await newUser(t, mine, 'colleague-4711', ['user']);
    stranger = await newUser(t, theirs, 'stranger-4711', ['user', 'admin']);
  }, 90_000);
  afterAll(() => t?.stop());

  /** Sends the operation with the caller's own ids everywhere but in one place. */
  async function send(operation: Operation, caller: Belongings, place: IdPlace, value: string): Promise<Response> {
    const partOf = (name: string) => (place.where === 'path' && place.name === name ? value : (names[name] ?? caller[name as Kind]));
    const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(partOf(name)));
    const query = place.where === 'query' ? `?${place.name}=${encodeURIComponent(value)}` : '';
    const example = bodies[operation.name];
    const body = place.where === 'body' ? bodyWith(example!, place.name, value) : example;
    return fetch(`${t.house.url}${path}${query}`, {
      method: operation.method,
      headers: { authorization: `Bearer ${caller.secret}`, ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
  }

  /** All that a client sees, but for the id that it sent itself. */
  async function seen(response: Response, value: string): Promise<object> {
    const text = (await response.text()).replaceAll(value, '<id>').replaceAll(encodeURIComponent(value), '<id>');
    return { status: response.status, type: response.headers.get('content-type'), length: response.headers.get('content-length'), text };
  }

  async function expectNothing(operation: Operation, place: IdPlace, kind: Kind, caller: Belongings, owner: Belongings): Promise<void> {
    const absent = nothing(owner)[kind];
    const theirs = await seen(await send(operation, caller, place, owner[kind]), owner[kind]);
    expect(theirs).toEqual(await seen(await send(operation, caller, place, absent), absent));
    expect(JSON.stringify(theirs)).not.toMatch(owner === stranger ? /stranger-4711|theirs-4711/ : owner.name);
    // A filter or a place in a list narrows what is one's own; every other id is what the request is about.
    if (place.where !== 'query') expect((theirs as { status: number }).status).toBeGreaterThanOrEqual(400);
  }

  const title = ({ operation, place }: (typeof idPlaces)[number]) => `${operation.name}, ${placeName(place)}`;
  const cases = idPlaces.map((one) => [title(one), one] as const);

  it.each(cases)('of another account is like none: %s', async (_title, { operation, place, kind }) => {
    await expectNothing(operation, place, kind, user!, stranger!);
    await expectNothing(operation, place, kind, admin!, stranger!);
  });

  it.each(cases.filter(([, { kind }]) => !['account', 'cursor', 'persona'].includes(kind)))(
    'of another user of the account is like none: %s',
    async (_title, { operation, place, kind }) => {
      await expectNothing(operation, place, kind, user!, colleague!);
    },
  );

  /** What an admin of the account may not see either: what users say and keep. Why a skill was not there in a chat, an admin may ask. */
  const isPrivate = ({ operation, kind }: (typeof idPlaces)[number]) =>
    ['turn', 'chat', 'artifact', 'approval'].includes(kind) && !['GET /api/v1/turns/{turn}/route', 'GET /api/v1/explain'].includes(operation.name);

  it.each(cases.filter(([, one]) => isPrivate(one)))("of a user is like none for the account's admin: %s", async (_title, one) => {
    await expectNothing(one.operation, one.place, one.kind, admin!, colleague!);
  });

  it("is in no list: files, keys, users and changes are one's own", async () => {
    for (const path of ['/api/v1/approvals?status=all', '/api/v1/artifacts', '/api/v1/me/keys', '/api/v1/audit', `/api/v1/accounts/${admin!.account}/users`]) {
      const text = await (await t.get(path, admin!.secret)).text();
      for (const id of [stranger!.account, stranger!.user, stranger!.key, stranger!.artifact, stranger!.approval]) expect([path, text]).not.toContain(id);
    }
    expect(await (await t.get('/api/v1/artifacts', admin!.secret)).text()).not.toContain(colleague!.artifact);
    expect(await (await t.get('/api/v1/approvals?status=all', admin!.secret)).text()).not.toContain(colleague!.approval);
  });

  // Last: it shows that all of the above asked for things that are there, and that nobody changed them.
  it('opens to its owner, who finds everything as it was', async () => {
    for (const owner of [colleague!, stranger!]) {
      const { name, account, turn, artifact, approval, chat, secret } = owner;
      expect(await (await t.get(`/api/v1/approvals/${approval}`, secret)).json()).toMatchObject({ status: 'pending', arguments: { content: name } });
      expect(await (await t.get(`/api/v1/turns/${turn}`, secret)).json()).toMatchObject({ chat, status: 'finished' });
      expect((await t.get(`/api/v1/turns/${turn}/route`, secret)).status).toBe(200);
      expect(await (await t.get(`/api/v1/chats/${chat}/skills`, secret)).json()).toMatchObject({ chat, skills: { 'meeting-notes': 'never' } });
      expect(await (await t.get(`/api/v1/turns/${turn}/stream`, secret)).text()).toContain(name);
      expect(await (await t.get(`/api/v1/artifacts/${artifact}`, secret)).text()).toBe(name);
      const skillgate = { chat_id: chat, artifacts: [artifact] };
      expect((await t.turn([{ text: 'Still here.' }], { ...chatWords, skillgate }, secret)).text).toBe('Still here.');
      expect(await (await t.get('/api/v1/me', secret)).json()).toMatchObject({ account, tier: 'pro', user: owner.user });
    }
    const { account, secret, user: id, key } = stranger!;
    expect(await (await t.get(`/api/v1/accounts/${account}`, secret)).json()).toMatchObject({ name: 'theirs-4711', integrations: [] });
    expect(await (await t.get(`/api/v1/accounts/${account}/users`, secret)).text()).toContain(id);
    const keys = await (await t.get(`/api/v1/accounts/${account}/keys?user=${id}`, secret)).json();
    expect(keys).toMatchObject({ keys: [{ id: key, revokedAt: null }] });
    expect(await (await t.get(`/api/v1/personas/${stranger!.persona}`, secret)).json()).toMatchObject({ name: 'stranger-4711', skills: { 'meeting-notes': 'never' } });
    // And the one thing that an admin does read of others in the account.
    expect((await t.get(`/api/v1/turns/${colleague!.turn}/route`, admin!.secret)).status).toBe(200);
  });
});
