import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { finished, openGatewayHouse, people, type GatewayHouse, type StartedTurn } from '../gateway-house.fixture.js';
import { foreignKey, ownKey, servePeers, type NotedCall } from './rest-peers.fixture.js';

let house: GatewayHouse;
const own = people['admin']!.account;
const calls: NotedCall[] = [];

beforeAll(async () => {
  house = await openGatewayHouse();
  await servePeers(house, calls);
}, 30_000);
afterAll(() => house?.close());

/** Of what was changed; the catalog is asked before and after it. */
const lastInput = () => calls.filter(({ call }) => call !== 'explain').at(-1)?.input;

const badName = { slug: 'invalid-body', param: 'name', detail: expect.stringMatching(/holds (a line break|nothing)/) };

describe('a problem', () => {
  it.each<[string, string, Parameters<GatewayHouse['ask']>[1], number, object]>([
    ['without a key', '/api/v1/me', { as: null }, 401, { slug: 'missing-api-key', title: 'Unauthorized' }],
    ['for who may not', '/api/v1/manifests', { as: 'admin' }, 403, { slug: 'not-allowed' }],
    ['on a path that is not there', '/api/v1/nothing', {}, 404, { slug: 'unknown-route' }],
    ['for an id that is none', '/api/v1/turns/x', {}, 404, { slug: 'unknown-turn' }],
    [
      'for a body with an unknown field',
      '/api/v1/accounts',
      { as: 'operator', json: { name: 'A', tier: 'pro', plan: 1 } },
      422,
      { slug: 'invalid-body', param: 'plan' },
    ],
    [
      'for a value that the service does not know',
      '/api/v1/accounts',
      { as: 'operator', json: { name: 'A', tier: 'gold' } },
      422,
      { slug: 'unknown-tier' },
    ],
    ...['a\u202eb', 'a\nb', '\u200b', '  '].flatMap((name): [string, string, Parameters<GatewayHouse['ask']>[1], number, object][] => [
      [`for an account called ${JSON.stringify(name)}`, '/api/v1/accounts', { as: 'operator', json: { name, tier: 'pro' } }, 422, badName],
      [`for a user called ${JSON.stringify(name)}`, `/api/v1/accounts/${own}/users`, { as: 'admin', json: { name } }, 422, badName],
      [`for a key called ${JSON.stringify(name)}`, `/api/v1/accounts/${own}/keys`, { as: 'admin', json: { name } }, 422, badName],
      [`for a persona called ${JSON.stringify(name)}`, '/api/v1/personas', { as: 'admin', json: { slug: 'p', name } }, 422, badName],
    ]),
    ['for a tier called by a line', '/api/v1/tiers/a%0Ab', { as: 'operator', method: 'PUT', json: { capabilities: [], limits: {} } }, 422, { slug: 'invalid-name' }],
    ...(['tiers/t1', `accounts/${own}/limits`] as const).map((path): [string, string, Parameters<GatewayHouse['ask']>[1], number, object] => {
      const [limits, at] = [{ turnsPerDayy: 5 }, path.startsWith('tiers') ? 'limits.' : ''];
      const json = at ? { capabilities: [], limits } : limits;
      return [`for a limit that is misspelt at ${path}`, `/api/v1/${path}`, { as: 'operator', method: 'PUT', json }, 422, { slug: 'invalid-body', param: `${at}turnsPerDayy` }];
    }),
    [
      'for broken JSON',
      '/api/v1/accounts',
      { as: 'operator', method: 'POST', body: '{', headers: { 'content-type': 'application/json' } },
      400,
      { slug: 'malformed-json' },
    ],
  ])('%s has the shape of RFC 9457', async (_what, path, options, status, members) => {
    const response = await house.ask(path, options);
    expect(response.status).toBe(status);
    expect(response.headers.get('content-type')).toMatch(/^application\/problem\+json/);
    expect(await response.json()).toMatchObject({
      status,
      instance: path,
      type: expect.stringMatching(/^urn:skillgate:problem:/),
      detail: expect.stringMatching(/./),
      ...members,
    });
  });

  it('of a service that is away says when to come back', async () => {
    const response = await house.ask('/api/v1/turns/6f2f1c1e-4a43-4d0e-9a0c-0b7a2f1f7a11/route');
    expect(response.status).toBe(503);
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await response.json()).toMatchObject({ slug: 'no-responder', correlationId: expect.any(String) });
  });
});

describe('who may do what', () => {
  type Who = 'user' | 'admin' | 'operator';
  const all: Who[] = ['user', 'admin', 'operator'];
  const owners: Who[] = ['admin', 'operator'];
  const id = '6f2f1c1e-4a43-4d0e-9a0c-0b7a2f1f7a11';
  const account = `/api/v1/accounts/${own}`;
  const put = (json: unknown) => ({ method: 'PUT', json });
  const routes: [string, string, Parameters<GatewayHouse['ask']>[1], Who[]][] = [
    ['reads itself', '/api/v1/me', {}, all],
    ['reads its usage', '/api/v1/me/usage', {}, all],
    ['reads its keys', '/api/v1/me/keys', {}, all],
    ['reads its skills', '/api/v1/skills', {}, all],
    ['reads the profiles', '/api/v1/profiles', {}, all],
    ['reads the tools', '/api/v1/tools?profile=docs', {}, all],
    ['asks what a skill would open', '/api/v1/tools:preview', { json: { profiles: ['docs'] } }, all],
    ['asks what it would open for somebody else', `/api/v1/tools:preview?account=${randomUUID()}`, { json: {} }, ['operator']],
    ["asks what it would open in the admin's account", `/api/v1/tools:preview?account=${own}`, { json: {} }, owners],
    ['sets the policy of a profile', '/api/v1/profiles/docs/policy', { method: 'PATCH', json: { write: 'deny' } }, ['operator']],
    ["tightens a policy for the admin's account", `${account}/profiles/docs/policy`, { method: 'PATCH', json: { write: 'confirm' } }, owners],
    ['reads what can be connected', '/api/v1/integrations', {}, all],
    ['reads every skill', '/api/v1/skills/all', {}, ['operator']],
    ['reads manifests', '/api/v1/manifests', {}, ['operator']],
    ['reads manifests of one executor', '/api/v1/manifests?executor=docs', {}, ['operator']],
    ['approves a manifest', '/api/v1/manifests/docs/approve', { json: { tools: [{ name: 'docs_x', schemaDigest: 'd' }] } }, ['operator']],
    ['takes an approval back', '/api/v1/manifests/docs/withdraw', { json: { tools: [{ name: 'docs_x', schemaDigest: 'd' }] } }, ['operator']],
    ['reads the tiers', '/api/v1/tiers', {}, ['operator']],
    ['defines a tier', '/api/v1/tiers/team-eu', put({ capabilities: ['tools'], limits: { turnsPerDay: 5 } }), ['operator']],
    ['removes a tier', '/api/v1/tiers/pro', { method: 'DELETE' }, ['operator']],
    ['rotates credentials', '/api/v1/credentials:rotate', { json: {} }, ['operator']],
    ['creates an account', '/api/v1/accounts', { json: { name: 'A', tier: 'pro' } }, ['operator']],
    ['lists the accounts', '/api/v1/accounts?limit=10', {}, ['operator']],
    ["reads the admin's account", account, {}, owners],
    ['reads an account of somebody else', `/api/v1/accounts/${randomUUID()}`, {}, ['operator']],
    ["changes the tier of the admin's account", `${account}/tier`, put({ tier: 'pro' }), ['operator']],
    ["gives a capability to the admin's account", `${account}/capabilities`, put({ capabilities: ['sandbox'] }), ['operator']],
    ["limits the admin's account", `${account}/limits`, put({ turnsPerDay: 1, tokensPerDay: null }), ['operator']],
    ["marks an integration of the admin's account", `${account}/integrations/slack`, put({ connected: true }), ['operator']],
    ["reads the integrations of the admin's account", `${account}/integrations`, {}, owners],
    ["locks a skill of the admin's account", `${account}/locks/meeting-notes`, put({ state: 'never' }), owners],
    ["lists the users of the admin's account", `${account}/users`, {}, owners],
    ["adds a user to the admin's account", `${account}/users`, { json: { name: 'Ann' } }, owners],
    ["changes a user of the admin's account", `${account}/users/${id}`, { method: 'PATCH', json: { name: 'Ann' } }, owners],
    ["revokes a user of the admin's account", `${account}/users/${id}`, { method: 'DELETE' }, owners],
    ["lists the keys of the admin's account", `${account}/keys`, {}, owners],
    ["makes a key of the admin's account", `${account}/keys`, { json: { name: 'k' } }, owners],
    ["revokes a key of the admin's account", `${account}/keys/${id}`, { method: 'DELETE' }, owners],
    ["reads the changes of the admin's account", `/api/v1/audit?account=${own}`, {}, owners],
    ['sets many skills for its account', '/api/v1/me/skills', { method: 'PATCH', json: { 'meeting-notes': 'never' } }, owners],
    ["locks many skills of the admin's account", `${account}/locks`, { method: 'PATCH', json: { 'meeting-notes': 'never' } }, owners],
    ['reads the personas', '/api/v1/personas', {}, all],
    ['makes a persona', '/api/v1/personas', { json: { slug: 'coach', name: 'Coach' } }, owners],
    ['changes a persona', '/api/v1/personas/coach', { method: 'PATCH', json: { name: 'C' } }, owners],
    ['changes skills of a persona', '/api/v1/personas/coach/skills', { method: 'PATCH', json: { 'meeting-notes': null } }, owners],
    ['retires a persona', '/api/v1/personas/coach', { method: 'DELETE' }, owners],
    ['asks why', '/api/v1/explain', {}, all],
    ['asks why in another account', `/api/v1/explain?account=${randomUUID()}`, {}, ['operator']],
    ["asks why in the admin's account", `/api/v1/explain?account=${own}`, {}, owners],
    ['looks at the head of its next turn', '/api/v1/catalog:preview?model=default', {}, all],
    ['sets a skill for its account', '/api/v1/me/skills/meeting-notes', put({ state: 'never' }), owners],
    ['connects a system with a secret', '/api/v1/integrations/slack/credential', put({ fields: { key: 'x' } }), owners],
    ['begins a connection', '/api/v1/integrations/slack/connection', { method: 'POST' }, owners],
    ['disconnects a system', '/api/v1/integrations/slack', { method: 'DELETE' }, owners],
  ];

  it.each(routes)('%s', async (_what, path, options, allowed) => {
    for (const as of ['user', 'admin', 'operator'] as const) {
      const { status } = await house.ask(path, { ...options, as });
      expect([as, status < 300]).toEqual([as, allowed.includes(as)]);
      if (!allowed.includes(as)) expect(status).toBe(403);
    }
  });
});

describe('accounts', () => {
  it("an operator's lock is an operator's and an admin's is an admin's", async () => {
    const lock = { method: 'PUT', body: '{"state":"always"}', headers: { 'content-type': 'application/json' } };
    await house.ask(`/api/v1/accounts/${own}/locks/house-style`, { ...lock, as: 'admin' });
    expect(lastInput()).toEqual({ account: own, skill: 'house-style', by: 'admin', state: 'always' });
    await house.ask(`/api/v1/accounts/${own}/locks/house-style`, { as: 'operator', method: 'DELETE' });
    expect(lastInput()).toEqual({ account: own, skill: 'house-style', by: 'operator', state: null });
  });

  it('nobody gives a role that is not theirs', async () => {
    const response = await house.ask(`/api/v1/accounts/${own}/keys`, { as: 'admin', json: { name: 'k', roles: ['user', 'operator'] } });
    expect(response.status).toBe(403);
    expect(await response.json()).toMatchObject({ slug: 'role-not-allowed', param: 'roles' });
  });

  it('what is changed here is seen by the next request', async () => {
    await house.ask('/api/v1/me', { as: 'operator' });
    const before = house.authentications;
    await house.ask(`/api/v1/accounts/${own}/tier`, {
      as: 'operator',
      method: 'PUT',
      body: '{"tier":"pro"}',
      headers: { 'content-type': 'application/json' },
    });
    await house.ask('/api/v1/me', { as: 'operator' });
    expect(house.authentications).toBe(before + 1);
  });

  it('a state is set for a skill that is there and for no other', async () => {
    const put = { method: 'PUT', body: '{"state":"never"}', headers: { 'content-type': 'application/json' } };
    expect((await house.ask('/api/v1/me/skills/meeting-notes', { as: 'admin', ...put })).status).toBe(200);
    expect(lastInput()).toMatchObject({ account: own, skill: 'meeting-notes', state: 'never' });
    expect((await house.ask('/api/v1/me/skills/no-such-skill', { as: 'admin', ...put })).status).toBe(404);
    await house.ask('/api/v1/me/skills/no-such-skill', { as: 'admin', method: 'DELETE' });
    expect(lastInput()).toMatchObject({ skill: 'no-such-skill', state: null });
  });
});

describe('keys', () => {
  it("are revoked by who has them, and another's is unknown", async () => {
    expect((await house.ask(`/api/v1/me/keys/${foreignKey}`, { method: 'DELETE' })).status).toBe(404);
    expect((await house.ask(`/api/v1/me/keys/${ownKey}`, { method: 'DELETE' })).status).toBe(200);
    expect(calls.at(-1)).toMatchObject({ call: 'revoke', input: { account: people['user']!.account, key: ownKey }, roles: ['user'] });
  });
});

describe('the audit log', () => {
  it('is one over all services, newest first, and is read on from where a page ended', async () => {
    const read = async (query: string) =>
      (await (await house.ask(`/api/v1/audit${query}`, { as: 'operator' })).json()) as { entries: { at: string }[]; next: string | null };
    const whole = await read('');
    const times = ['8.000003', '8.000002', '8.000001', '8.000000', '3.000003', '3.000002', '3.000001', '3.000000'];
    expect(whole.entries.map(({ at }) => at.slice(18, 26))).toEqual(times);
    expect(whole.next).toBeNull();
    const page = await read('?limit=2&action=set-tier');
    expect(page.entries).toHaveLength(2);
    expect(page.entries[0]).toMatchObject({ action: 'set-tier', after: { tier: 'pro' } });
    expect(page.next).toMatch(/^2026-11-30T12:00:08\.000002Z_/);
  });

  it.each([
    ['limit=0', 'limit'],
    ['before=yesterday', 'before'],
    ['since=2026', 'since'],
    ['limit=1&limit=2', 'limit'],
    ['action=set-teir', 'action'],
  ])('says what is wrong with ?%s', async (query, param) => {
    const response = await house.ask(`/api/v1/audit?${query}`, { as: 'operator' });
    expect(response.status).toBe(422);
    expect(await response.json()).toMatchObject({ slug: 'invalid-query', param });
  });
});

describe('an action that nobody records', () => {
  it('is refused with those that there are', async () => {
    const response = await house.ask('/api/v1/audit?action=set-teir', { as: 'operator' });
    expect(await response.json()).toMatchObject({ status: 422, detail: expect.stringMatching(/"set-tier".*"publish-skill".*"approve-manifest"/) });
    expect((await house.ask('/api/v1/audit?action=set-tier', { as: 'operator' })).status).toBe(200);
  });
});

describe('turns', () => {
  it('are read and cancelled by their user, and unknown to everybody else', async () => {
    let turn: StartedTurn | undefined;
    house.onTurn = (started) => {
      turn = started;
      started.outcome = finished('Hi');
      started.say({ attempt: 1, n: 0, body: { type: 'ended', outcome: started.outcome } });
    };
    await house.ask('/v1/chat/completions', { json: { model: 'default', messages: [{ role: 'user', content: 'x' }] } });
    const path = `/api/v1/turns/${turn!.ticket.turn}`;
    expect(await (await house.ask(path)).json()).toMatchObject({ turn: turn!.ticket.turn, status: 'finished', outcome: { answer: 'Hi' } });
    for (const as of ['admin', 'colleague']) expect((await house.ask(path, { as })).status).toBe(404);
    expect((await house.ask(`${path}/cancel`, { method: 'POST' })).status).toBe(202);
    for (const as of ['admin', 'colleague']) expect((await house.ask(`${path}/cancel`, { method: 'POST', as })).status).toBe(404);
    expect((await house.ask(`${path}/stream`, { as: 'colleague' })).status).toBe(404);
  });
});

describe('a character that no database keeps', () => {
  interface Read {
    parameters?: { name: string; in: string; required?: boolean }[];
  }
  const id = randomUUID();
  const sound = (name: string) => ({ version: '1.0.0', skill: 'memo', model: 'default', path: 'a.md', query: 'word', state: 's' })[name] ?? id;

  it('is refused in every address that is read, whichever part of it holds it', async () => {
    const { paths } = (await (await house.ask('/openapi.json')).json()) as { paths: Record<string, { get?: Read }> };
    const addresses = Object.entries(paths).flatMap(([path, { get }]) => {
      const parts = get?.parameters?.filter((each) => each.in === 'path' || each.in === 'query') ?? [];
      return parts.map(({ name: bad }) => {
        const given = (name: string) => (name === bad ? `x%00` : sound(name));
        const query = parts.filter((each) => each.in === 'query' && (each.required || each.name === bad)).map(({ name }) => `${name}=${given(name)}`);
        return `${path.replace(/\{(\w+)\}/g, (_all, name: string) => given(name))}${query.length > 0 ? `?${query.join('&')}` : ''}`;
      });
    });
    addresses.push('/api/v1/catalog:preview?model=persona/x%00', `/api/v1/catalog:preview?model=persona/${'x'.repeat(63)}%F0%9F%98%80`);
    const answers = await Promise.all(addresses.map(async (address) => [address, (await house.ask(address, { as: 'operator' })).status] as const));
    expect(answers.filter(([, status]) => status < 400 || status >= 500)).toEqual([]);
    expect(addresses).toEqual(expect.arrayContaining([expect.stringContaining('/file?path=x%00'), expect.stringContaining('/versions/x%00')]));
  });

  it.each<[string, string, string, object]>([
    ['a tier', 'POST', '/api/v1/accounts', { name: 'A', tier: 'pro\0' }],
    ['a reason', 'POST', '/api/v1/skills/memo/retire', { reason: 'Wrong.\0' }],
    ['a version', 'PUT', '/api/v1/skills/memo/current', { version: '1.0.0\0' }],
    ['the model of a persona', 'POST', '/api/v1/personas', { slug: 'p', name: 'P', model: 'persona/x\0' }],
  ])('is refused in a body as well: %s', async (_what, method, path, json) => {
    expect(await (await house.ask(path, { as: 'operator', method, json })).json()).toMatchObject({ status: 422, slug: 'invalid-body' });
  });
});

describe('without a key', () => {
  it('the OpenAPI document and health can be read', async () => {
    const document = (await (await house.ask('/openapi.json', { as: null })).json()) as { openapi: string; paths: object };
    expect(document.openapi).toBe('3.1.0');
    expect(Object.keys(document.paths)).toContain('/v1/chat/completions');
    expect((await house.ask('/health/ready', { as: null })).status).toBe(200);
  });
});
