// Proves: no secret that this house was given, made, or was shown by mistake stands in a log, a span, a stream or a table.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { leaseCredential } from '@skillgate/contracts/calls/integrations';
import { UnsecuredJWT } from 'jose';
import { plant } from '@skillgate/testing/planted';
import { startSecretsHouse, type SecretsHouse } from './secrets-house.fixture.js';
import { findSecrets, writings, type Dump } from './secrets-scan.fixture.js';
import { modelId, readAnswer } from './test-house.fixture.js';

describe('the search', () => {
  const secret = 'planted "secret" with 4711';

  it.each([
    ['itself', secret],
    ['in JSON in JSON', JSON.stringify(JSON.stringify({ secret }))],
    ['in an address', `/x?y=${encodeURIComponent(secret)}`],
    ['in bytes', `\\x${Buffer.from(`a${secret}b`).toString('hex')}`],
    ['in base64', Buffer.from(`${secret}c`).toString('base64')],
    ['in base64, a letter further', Buffer.from(`a${secret}c`).toString('base64')],
    ['in base64, two letters further', Buffer.from(`ab${secret}c`).toString('base64')],
  ])('finds a secret %s', (_how, text) => {
    expect(findSecrets({ logs: `… ${text} …` }, { planted: secret })).toEqual(['logs: planted']);
  });

  it('finds nothing where there is nothing', () => {
    expect(findSecrets({ logs: 'planted', spans: '' }, { planted: secret })).toEqual([]);
    expect(writings(secret).length).toBeGreaterThanOrEqual(6);
  });
});

describe('a house that was told secrets in every place that takes or could take one', () => {
  let s: SecretsHouse;
  let dump: Dump;
  let account: string;
  let turn: string;
  /** What people and models say: in tables it is the point, in logs and spans it has no place. */
  const said = { message: plant('message'), argument: plant('argument'), file: plant('file'), answer: plant('answer') };
  /** Which of the ways in worked; a way that is refused at once would prove little. */
  const ways: string[] = [];

  beforeAll(async () => {
    s = await startSecretsHouse();
    account = await asOperator();
    const admin = await makeAdmin();
    await showTokens();
    await showByMistake(admin);
    await connect(admin);
    await say(admin);
    await s.receiver.until((spans) => spans.some(({ attributes }) => JSON.stringify(attributes).includes(turn)), 10_000);
    await new Promise((resolve) => setTimeout(resolve, 1_500)); // the exporters send twice a second, relays and logs sooner
    dump = await s.dump();
  }, 120_000);
  afterAll(() => s?.stop());

  const send = (method: string, path: string, key: string, body?: unknown, headers: Record<string, string> = {}) =>
    fetch(s.house.url + path, {
      method,
      headers: { authorization: `Bearer ${key}`, ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  const read = async (answer: Response | Promise<Response>): Promise<Record<string, string>> => (await answer).json() as never;
  const noteIf = (way: string, holds: boolean) => void (holds && ways.push(way));

  async function asOperator(): Promise<string> {
    const { operator } = s.house.keys;
    return (await read(send('POST', '/api/v1/accounts', operator, { name: 'Acme of the scan', tier: 'pro' }))).id!;
  }

  /** @returns the secret of a new key */
  async function makeAdmin(): Promise<string> {
    const wanted = { name: 'scan', roles: ['user', 'admin'] };
    const made = await read(send('POST', `/api/v1/accounts/${account}/keys`, s.house.keys.operator, wanted));
    s.secrets['new API key'] = made.secret!;
    return made.secret!;
  }

  async function showTokens(): Promise<void> {
    const { provider, secrets } = s;
    const now = Math.floor(Date.now() / 1000);
    const claims = { sub: 'ann', aud: 'skillgate', skillgate_account: account, iat: now, exp: now + 300 };
    secrets.token = await provider.signJwt(claims);
    secrets['token for others'] = await provider.signJwt({ ...claims, aud: 'another' });
    secrets['token that ended'] = await provider.signJwt({ ...claims, exp: now - 300 });
    secrets['token without a signature'] = new UnsecuredJWT({ ...claims, iss: provider.issuer }).encode();
    noteIf('token', (await send('GET', '/api/v1/me', secrets.token)).status === 200);
    for (const token of ['token for others', 'token that ended', 'token without a signature'])
      noteIf(token, (await send('GET', '/api/v1/me', secrets[token]!)).status === 401);
  }

  /** As people do who misread a manual. */
  async function showByMistake(admin: string): Promise<void> {
    const { secrets } = s;
    const key = (what: string) => (secrets[what] = `sk-sg-${Buffer.from(randomUUID() + randomUUID()).toString('base64url').slice(0, 43)}`);
    await send('GET', '/api/v1/me', key('unknown key'));
    await send('GET', `/api/v1/me?api_key=${key('key in a query')}`, admin);
    await send('GET', `/api/v1/audit?action=${key('key as a filter')}`, admin);
    await send('GET', `/api/v1/turns/${key('key in a path')}`, admin);
    Object.assign(secrets, { cookie: plant('cookie'), basic: plant('basic'), 'password in a body': plant('body') });
    const session = { 'x-api-key': key('key in a header'), cookie: `session=${secrets.cookie}` };
    await send('GET', '/api/v1/me', admin, undefined, session);
    const basic = Buffer.from(`ann:${secrets.basic}`).toString('base64');
    await send('GET', '/api/v1/me', admin, undefined, { authorization: `Basic ${basic}` });
    const signUp = { name: 'x', password: secrets['password in a body'] };
    const wrong = await send('POST', `/api/v1/accounts/${account}/users`, admin, signUp);
    noteIf('unknown field', wrong.status === 422);
    await send('POST', '/v1/chat/completions', admin, { model: modelId, messages: [], api_key: key('key in a chat') });
    await send('POST', '/api/v1/credentials:rotate', admin, { key: (secrets['key in a rotation'] = plant('rotation')) });
  }

  async function connect(admin: string): Promise<void> {
    const { provider, secrets, registry, docs: wire } = s;
    provider.misbehave.accessTokenSeconds = 1; // the first lease has to renew it
    const begun = await read(send('POST', '/api/v1/integrations/gmail/connection', admin));
    secrets.state = begun.state!;
    const callback = await s.approve(begun.url!);
    noteIf('callback', (await fetch(callback)).status === 200);
    noteIf('callback again', (await fetch(callback, { headers: { accept: 'text/html' } })).status === 404);
    const { user } = await read(send('GET', '/api/v1/me', admin));
    const ids = { account, user, chat: randomUUID(), turn: randomUUID() };
    const tools = { docs_read_text: 'x@1.0.0#aa' };
    const claims = { typ: 'grant', aud: 'docs', ...ids, tools, integrations: ['gmail', 'cloze'], policyEpoch: 1 };
    const grant = () => registry.sign({ ...claims, exp: Math.floor(Date.now() / 1000) + 60 });
    await new Promise((resolve) => setTimeout(resolve, 1_200));
    secrets.grant = await grant();
    const leased = await wire.call(leaseCredential, { grant: secrets.grant, integration: 'gmail' });
    noteIf('lease', leased.accessToken !== undefined && provider.refreshes() === 1);
    secrets['API key of a system'] = plant('api-key');
    secrets['app password'] = plant('app-password');
    const cloze = await send('PUT', '/api/v1/integrations/cloze/credential', admin, { fields: { apiKey: secrets['API key of a system'] } });
    const apple = { username: 'ann@example.com', password: secrets['app password'] };
    noteIf('secrets', cloze.ok && (await send('PUT', '/api/v1/integrations/apple_calendar/credential', admin, { fields: apple })).ok);
    secrets['secret under a wrong name'] = plant('wrong-field');
    await send('PUT', '/api/v1/integrations/cloze/credential', admin, { fields: { passwd: secrets['secret under a wrong name'] } });
    const fields = (await wire.call(leaseCredential, { grant: await grant(), integration: 'cloze' })).fields;
    noteIf('lease of a key', fields?.apiKey === secrets['API key of a system']);
    noteIf('rotation', (await send('POST', '/api/v1/credentials:rotate', s.house.keys.operator, {})).ok);
    provider.misbehave.tokenError = 'invalid_grant';
    const again = wire.call(leaseCredential, { grant: await grant(), integration: 'gmail', rejected: leased.lease });
    const refused = await again.catch((error: { slug: string }) => error.slug);
    noteIf('invalid grant', refused === 'integration-expired');
    noteIf('disconnection', (await send('DELETE', '/api/v1/integrations/cloze', admin)).ok);
    provider.tokenRequests.forEach(({ form, answer }, n) => {
      const held = { ...form, ...answer };
      for (const name of ['code', 'code_verifier', 'access_token', 'refresh_token', 'id_token']) {
        if (form[name]) secrets[`${name} of request ${n}`] = form[name];
        if (held[name]) secrets[`${name} of answer ${n}`] = String(held[name]);
      }
    });
  }

  async function say(admin: string): Promise<void> {
    const file_name = 'scan.txt';
    s.model.extend([
      { toolCalls: [{ name: 'load_skill', arguments: { slug: 'briefing-memo' } }] },
      { toolCalls: [{ name: 'docs_write_text', arguments: { file_name, content: said.file } }] },
      { toolCalls: [{ name: 'docs_read_text', arguments: { artifact: said.argument } }] },
      { text: said.answer },
    ]);
    const messages = [{ role: 'user', content: `My password is ${said.message}.` }];
    const answer = await readAnswer(await send('POST', '/v1/chat/completions', admin, { model: modelId, stream: true, messages }));
    s.model.assertConsumed();
    turn = answer.turn;
    noteIf('turn', answer.text === said.answer);
  }

  it('was told them: each way in was open, or refused as it must be', () => {
    expect(ways).toEqual([
      ...['token', 'token for others', 'token that ended', 'token without a signature', 'unknown field', 'callback', 'callback again'],
      ...['lease', 'secrets', 'lease of a key', 'rotation', 'invalid grant', 'disconnection', 'turn'],
    ]);
    expect(Object.keys(s.secrets).length).toBeGreaterThan(40);
    expect(Object.entries(s.secrets).filter(([, secret]) => !secret || secret.length < 16)).toEqual([]);
  });

  it('writes down everything else: logs, spans, streams and tables are full', () => {
    const told = new Set([...dump.logs.matchAll(/"level":"debug".*?"service":"([\w-]+)"/g)].map(([, service]) => service));
    expect([...told]).toEqual(expect.arrayContaining(['accounts', 'artifacts', 'catalog', 'gateway', 'orchestrator', 'registry', 'docs']));
    expect(dump.logs).toContain('database system is ready'); // what the servers themselves write is in it
    expect(dump.spans).toContain(turn);
    expect(dump.spans).toContain('/api/v1/integrations/callback'); // the requests themselves are among them
    expect(dump.streams).toContain(account);
    expect(dump.streams).toContain('integration-expired');
    expect(dump.tables).toContain('Acme of the scan');
    expect(dump.tables).toContain(said.message);
    expect(new Set(dump.tables.match(/^\w+\.\w+/gm)).size).toBeGreaterThan(15);
  });

  it.each(['logs', 'spans', 'streams', 'tables'] as const)('wrote none of them into its %s', (where) => {
    expect(findSecrets({ [where]: dump[where] }, s.secrets)).toEqual([]);
  });

  it.each(['logs', 'spans'] as const)('wrote nothing of what people and models said into its %s', (where) => {
    expect(findSecrets({ [where]: dump[where] }, said)).toEqual([]);
  });

  it.each(['logs', 'spans', 'streams', 'tables'] as const)('wrote no ticket, receipt, grant or token of its own into its %s', (where) => {
    expect(dump[where].match(/eyJ[\w-]{10,}\.eyJ[\w-]{10,}/g) ?? []).toEqual([]);
  });
});
