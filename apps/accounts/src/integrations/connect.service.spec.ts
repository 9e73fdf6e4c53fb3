// Connecting and disconnecting outside systems, against a real OAuth server.
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { getAccount, listAudit, setIntegration } from '@skillgate/contracts/calls/accounts';
import { createPersona } from '@skillgate/contracts/calls/personas';
import * as calls from '@skillgate/contracts/calls/integrations';
import { redirectUri, startIntegrationsWorld, type IntegrationsWorld } from './integrations-world.fixture.js';

let world: IntegrationsWorld;
beforeAll(async () => {
  world = await startIntegrationsWorld();
}, 60_000);
afterAll(() => world?.stop(), 20_000);
afterEach(() => void Object.keys(world.provider.misbehave).forEach((key) => delete world.provider.misbehave[key as 'tokenStatus']));

const finish = (query: object) => world.gateway.call(calls.finishConnection, query as { state: string });
const queryOf = ({ landed }: { landed: URL }) => Object.fromEntries(landed.searchParams);
const until = async (good: () => boolean) => {
  for (const end = Date.now() + 5_000; !good() && Date.now() < end;) await new Promise((resolve) => setTimeout(resolve, 20));
};

it('has the systems that are shipped beside those of its own table', async () => {
  const { slack, outlook, crm_2: crm, gmail } = await world.list(await world.newAccount());
  expect([slack, outlook, crm, gmail].map((each) => each?.title)).toEqual(['Slack', 'Outlook mail', 'Our CRM', 'Gmail']);
});

describe('an OAuth connection', () => {
  it('is made by a person who agrees, and stands in the list with who, when, scopes and the account there', async () => {
    const who = await world.newAccount();
    expect((await world.list(who)).gmail).toMatchObject({ status: 'disconnected', connectable: true, by: null, credential: false });
    const begun = await world.begin(who);
    expect(begun.landed.origin + begun.landed.pathname).toBe(redirectUri);
    const answer = await finish(queryOf(begun));
    expect(answer).toMatchObject({ account: who.account, integration: 'gmail', status: 'connected', label: 'owner@example.com' });
    const { gmail } = await world.list(who);
    expect(gmail).toMatchObject({ status: 'connected', by: who.user, credential: true, label: 'owner@example.com', why: null });
    expect(gmail!.scopes.sort()).toEqual(['email', 'offline_access', 'openid']);
    expect(Math.abs(Date.parse(gmail!.at!) - Date.now())).toBeLessThan(10_000);
    expect((await world.lease(who)).accessToken).toMatch(/^[\w-]{20,}$/);
    await until(() => world.told(who.account).length > 0);
    expect(world.told(who.account)).toEqual(['integration-connected gmail']);
    expect(await world.changes(who.account)).toContain('connect-integration gmail');
  });

  it('asks the provider with PKCE S256 and a state that the database has as a hash alone', async () => {
    const who = await world.newAccount();
    const asked = await world.gateway.call(calls.beginConnection, {
      authority: await world.ticket(who),
      integration: 'gmail',
      redirectUri,
    });
    const url = new URL(asked.url);
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      code_challenge_method: 'S256',
      prompt: 'consent',
      redirect_uri: redirectUri,
    });
    expect(url.searchParams.get('state')).toBe(asked.state);
    const rows = JSON.stringify(await world.admin.query('SELECT to_jsonb(p) FROM pending_connections p WHERE account = $1', [who.account]));
    expect(rows).not.toContain(asked.state);
    expect(rows).not.toContain(Buffer.from(asked.state).toString('hex'));
  });

  it('works once: the same answer again, a made-up state and an old one are all unknown', async () => {
    const who = await world.newAccount();
    const begun = await world.begin(who);
    await finish(queryOf(begun));
    const old = await world.begin(who);
    await world.admin.query(`UPDATE pending_connections SET expires_at = now() - interval '1 second' WHERE account = $1`, [who.account]);
    for (const query of [queryOf(begun), { ...queryOf(begun), state: 'x'.repeat(43) }, queryOf(old)]) {
      await expect(finish(query)).rejects.toMatchObject({ kind: 'refusal', slug: 'connection-unknown' });
    }
  });

  it('belongs to who began it: another user of a known browser cannot finish it, and does not use it up', async () => {
    const [who, stranger] = [await world.newAccount(), await world.newAccount()];
    const begun = await world.begin(who);
    const asStranger = finish({ ...queryOf(begun), authority: await world.ticket(stranger) });
    await expect(asStranger).rejects.toMatchObject({ slug: 'connection-unknown' });
    const colleague = { account: who.account, user: randomUUID() };
    await expect(finish({ ...queryOf(begun), authority: await world.ticket(colleague) })).rejects.toMatchObject({
      slug: 'connection-unknown',
    });
    await expect(finish({ ...queryOf(begun), authority: await world.ticket(who) })).resolves.toMatchObject({ account: who.account });
    expect((await world.list(stranger)).gmail!.status).toBe('disconnected');
  });

  it('of a user who was revoked meanwhile is not finished', async () => {
    const who = await world.newAccount();
    const begun = await world.begin(who);
    await world.admin.query('UPDATE users SET revoked_at = now() WHERE id = $1', [who.user]);
    await expect(finish(queryOf(begun))).rejects.toMatchObject({ slug: 'connection-unknown' });
  });

  it.each([
    ['a person who says no', (query: object) => ({ ...query, code: undefined, error: 'access_denied' }), 'connection-denied'],
    ['an answer of another issuer', (query: object) => ({ ...query, iss: 'https://evil.example.com' }), 'connection-failed'],
    ['a code that was made up', (query: object) => ({ ...query, code: 'made-up' }), 'connection-failed'],
    ['neither code nor error', (query: object) => ({ ...query, code: undefined }), 'connection-failed'],
  ])('is not made by %s', async (_what, change, slug) => {
    const who = await world.newAccount();
    const failed = await finish(change(queryOf(await world.begin(who)))).catch((error) => error);
    expect(failed).toMatchObject({ kind: 'refusal', slug });
    expect((await world.list(who)).gmail).toMatchObject({ status: 'disconnected', credential: false });
  });

  it('is unavailable while the provider is, and nothing is connected', async () => {
    const who = await world.newAccount();
    const begun = await world.begin(who);
    world.provider.misbehave.tokenStatus = 503;
    await expect(finish(queryOf(begun))).rejects.toMatchObject({ kind: 'unavailable', slug: 'provider-away' });
    expect((await world.list(who)).gmail!.status).toBe('disconnected');
  });

  it('made anew replaces the credential, tells no event and is written down', async () => {
    const who = await world.newAccount();
    await world.connect(who);
    const first = await world.lease(who);
    await world.connect(who);
    const second = await world.lease(who);
    expect(second.lease).not.toBe(first.lease);
    expect((await world.changes(who.account)).filter((change) => change === 'connect-integration gmail')).toHaveLength(2);
    await world.gateway.call(calls.disconnectIntegration, { authority: await world.ticket(who), integration: 'gmail' });
    await until(() => world.told(who.account).includes('integration-disconnected gmail'));
    expect(world.told(who.account)).toEqual(['integration-connected gmail', 'integration-disconnected gmail']);
  });
});

describe('connecting', () => {
  it.each([
    ['by a user without the role', 'gmail', ['user'], 'not-allowed'],
    ['of a system that is not there', 'fax', ['admin'], 'unknown-integration'],
    ['of one that has no client here', 'drive', ['admin'], 'integration-not-configured'],
    ['by signing in where a key is wanted', 'cloze', ['admin'], 'wrong-kind'],
  ] as const)('%s is refused', async (_what, integration, roles, slug) => {
    const authority = await world.ticket(await world.newAccount(), [...roles]);
    const asked = world.gateway.call(calls.beginConnection, { authority, integration, redirectUri });
    await expect(asked).rejects.toMatchObject({ kind: 'refusal', slug });
  });

  it('with an API key or an app password keeps what was entered and leases it', async () => {
    const who = await world.newAccount();
    const put = async (integration: string, fields: Record<string, string>) =>
      world.gateway.call(calls.connectWithSecret, { authority: await world.ticket(who), integration, fields });
    expect(await put('cloze', { apiKey: 'cloze-key-1' })).toMatchObject({
      status: 'connected',
      kind: 'api-key',
      label: null,
      credential: true,
    });
    const entered = { username: 'me@icloud.example', password: 'abcd-efgh' };
    expect(await put('apple_calendar', entered)).toMatchObject({ status: 'connected', label: 'me@icloud.example', by: who.user });
    expect(await world.lease(who, 'cloze')).toMatchObject({ kind: 'api-key', fields: { apiKey: 'cloze-key-1' } });
    expect((await world.lease(who, 'apple_calendar')).fields).toEqual(entered);
  });

  it('works for a system that only this house has, from the credential to the lease, and personas may name it', async () => {
    const who = await world.newAccount();
    const authority = await world.ticket(who);
    const connected = await world.gateway.call(calls.connectWithSecret, { authority, integration: 'crm_2', fields: { apiKey: 'k-1' } });
    expect(connected).toMatchObject({ integration: 'crm_2', title: 'Our CRM', status: 'connected' });
    expect((await world.list(who)).crm_2).toMatchObject({ status: 'connected', credential: true });
    expect((await world.gateway.call(getAccount, { account: who.account })).integrations).toEqual(['crm_2']);
    expect(await world.lease(who, 'crm_2')).toMatchObject({ fields: { apiKey: 'k-1' } });
    const persona = { authority, account: who.account, slug: 'seller', name: 'Seller' };
    expect(await world.gateway.call(createPersona, { ...persona, integrations: ['crm_2'] })).toMatchObject({ integrations: ['crm_2'] });
    const misspelt = world.gateway.call(createPersona, { ...persona, slug: 'other', integrations: ['crm_3'] });
    await expect(misspelt).rejects.toMatchObject({ slug: 'unknown-integration', message: expect.stringContaining('crm_2') });
  });

  it('with what is held already changes nothing: no entry, no epoch, and the lease stands', async () => {
    const who = await world.newAccount();
    const put = async (apiKey: string) =>
      world.gateway.call(calls.connectWithSecret, { authority: await world.ticket(who), integration: 'cloze', fields: { apiKey } });
    const entries = async () =>
      (await world.gateway.call(listAudit, { authority: await world.ticket(who), account: who.account, action: 'connect-integration' })).entries;
    const first = await put('cloze-key-1');
    const { lease } = await world.lease(who, 'cloze');
    expect(await put('cloze-key-1')).toEqual(first);
    expect(await entries()).toHaveLength(1);
    expect(await world.lease(who, 'cloze')).toMatchObject({ lease });
    await put('cloze-key-2');
    expect(await entries()).toHaveLength(2);
    expect(await world.lease(who, 'cloze')).toMatchObject({ fields: { apiKey: 'cloze-key-2' } });
  });

  it.each<[string, string, Record<string, string>, string]>([
    ['a line break behind a key', 'cloze', { apiKey: 'planted-key\r\n' }, 'apiKey'],
    ['a header behind a key', 'cloze', { apiKey: 'planted-key\r\nX-Admin: yes' }, 'apiKey'],
    ['a lone line feed', 'cloze', { apiKey: 'planted\nkey' }, 'apiKey'],
    ['a blank before a key', 'cloze', { apiKey: ' planted-key' }, 'apiKey'],
    ['a quotation mark of a word processor', 'cloze', { apiKey: '“planted-key”' }, 'apiKey'],
    ['a line break in a password', 'apple_calendar', { username: 'me', password: 'planted\r\nkey' }, 'password'],
    ['a line separator in a name', 'apple_calendar', { username: 'me\u2028you', password: 'planted-key' }, 'username'],
  ])('with %s is refused, by the name of the field and not by its value', async (_what, integration, fields, field) => {
    const authority = await world.ticket(await world.newAccount());
    const error = await world.gateway.call(calls.connectWithSecret, { authority, integration, fields }).catch((refusal) => refusal);
    expect(error).toMatchObject({ kind: 'refusal', slug: 'invalid-fields', message: expect.stringContaining(`${field}: holds`) });
    expect(JSON.stringify(error.toWire())).not.toContain('planted');
  });

  it.each([
    ['a field missing', { username: 'me' }],
    ['an empty one', { username: 'me', password: ' ' }],
    ['one too many', { username: 'me', password: 'x', apiKey: 'sk' }],
  ])('with %s is refused without quoting what was entered', async (_what, fields) => {
    const authority = await world.ticket(await world.newAccount());
    const asked = world.gateway.call(calls.connectWithSecret, { authority, integration: 'apple_calendar', fields: fields as never });
    const error = await asked.catch((refusal) => refusal);
    expect(error).toMatchObject({ slug: 'invalid-fields', message: expect.stringContaining('username and password') });
    expect(error.message).not.toContain('sk');
  });

  it('is refused in a house without credential keys, which says what to set', async () => {
    const bare = await startIntegrationsWorld({ replicas: 0 });
    try {
      await bare.boot({ SKILLGATE_CREDENTIAL_KEYS: '' });
      const who = await bare.newAccount();
      expect((await bare.list(who)).gmail).toMatchObject({ connectable: false, status: 'disconnected' });
      await expect(bare.begin(who)).rejects.toMatchObject({
        slug: 'integration-not-configured',
        message: expect.stringContaining('SKILLGATE_CREDENTIAL_KEYS'),
      });
      await expect(bare.lease(who)).rejects.toMatchObject({ slug: 'integration-not-configured' });
    } finally {
      await bare.stop();
    }
  }, 60_000);
});

describe('disconnecting', () => {
  it('wipes the credential, asks the provider to forget it, and tells the house once', async () => {
    const who = await world.newAccount();
    await world.connect(who);
    const { accessToken } = await world.lease(who);
    expect(await world.provider.accepts(accessToken!)).toBe(true);
    const disconnect = async () =>
      world.gateway.call(calls.disconnectIntegration, { authority: await world.ticket(who), integration: 'gmail' });
    expect(await disconnect()).toMatchObject({ status: 'disconnected', credential: false, revoked: true });
    expect(await world.provider.accepts(accessToken!)).toBe(false);
    expect(await disconnect()).toMatchObject({ status: 'disconnected', revoked: false });
    expect(await world.admin.query('SELECT 1 FROM credentials WHERE account = $1', [who.account])).toEqual([]);
    await expect(world.lease(who)).rejects.toMatchObject({ slug: 'integration-not-connected' });
    await until(() => world.told(who.account).length === 2);
    expect(world.told(who.account).sort()).toEqual(['integration-connected gmail', 'integration-disconnected gmail']);
  });

  it('goes through when the provider does not answer', async () => {
    const who = await world.newAccount();
    await world.connect(who);
    world.provider.misbehave.revocationStatus = 503;
    const gone = await world.gateway.call(calls.disconnectIntegration, { authority: await world.ticket(who), integration: 'gmail' });
    expect(gone).toMatchObject({ status: 'disconnected', revoked: false });
    await expect(world.lease(who)).rejects.toMatchObject({ slug: 'integration-not-connected' });
  });

  it('by an operator who only sets a mark wipes the credential too', async () => {
    const who = await world.newAccount();
    await world.connect(who);
    await world.gateway.call(setIntegration, {
      authority: await world.ticket(who, ['operator']),
      account: who.account,
      integration: 'gmail',
      connected: false,
    });
    expect(await world.admin.query('SELECT 1 FROM credentials WHERE account = $1', [who.account])).toEqual([]);
    expect((await world.list(who)).gmail).toMatchObject({ status: 'disconnected', label: null, scopes: [] });
  });
});

describe('what is kept of a connection', () => {
  it('is sealed: no column of the database holds a token, a password or the verifier', async () => {
    const who = await world.newAccount();
    await world.connect(who);
    await world.gateway.call(calls.connectWithSecret, {
      authority: await world.ticket(who),
      integration: 'apple_calendar',
      fields: { username: 'me', password: 'planted-app-password' },
    });
    const answers = world.provider.tokenRequests.map(({ answer }) => answer);
    const secrets = [...answers.flatMap(({ access_token, refresh_token }) => [access_token, refresh_token]), 'planted-app-password'].filter(
      Boolean,
    ) as string[];
    expect(secrets.length).toBeGreaterThan(4);
    const tables = (await world.admin.query(`SELECT tablename AS name FROM pg_tables WHERE schemaname = 'accounts'`)) as { name: string }[];
    const everything = (
      await Promise.all(tables.map(({ name }) => world.admin.query(`SELECT to_jsonb(t) AS row FROM accounts."${name}" t`)))
    )
      .map((rows) => JSON.stringify(rows))
      .join();
    expect(everything).toContain(who.account);
    for (const secret of secrets) {
      expect(everything).not.toContain(secret);
      expect(everything).not.toContain(Buffer.from(secret).toString('hex'));
    }
  });

  it('belongs to its account: without the account, or with another, no row is seen', async () => {
    const [one, two] = [await world.newAccount(), await world.newAccount()];
    await world.connect(one);
    await world.begin(one);
    const role = (
      (await world.admin.query(
        `SELECT rolname AS name FROM pg_roles WHERE rolname LIKE 'accounts_t_%' AND rolcanlogin
           AND has_schema_privilege(oid, 'accounts', 'USAGE')`,
      )) as { name: string }[]
    ).at(-1)!.name;
    for (const table of ['credentials', 'pending_connections']) {
      for (const [account, count] of [
        [one.account, 1],
        [two.account, 0],
        ['', 0],
      ] as const) {
        const rows = await world.admin.transaction(async (sql) => {
          await sql.query(`SET LOCAL ROLE "${role}"`);
          await sql.query(`SELECT set_config('skillgate.account', $1, true)`, [account]);
          return (await sql.query(`SELECT account FROM accounts.${table}`)) as { account: string }[];
        });
        expect([table, account, rows.length]).toEqual([table, account, count]);
      }
    }
  });
});
