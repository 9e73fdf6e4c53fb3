// What providers say, read without asking them.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { integrationNames } from '@skillgate/contracts/integrations';
import { ResponseBodyError } from 'openid-client';
import { normalAnswer } from './normal-answer.js';
import { oauthClientsVariable } from './oauth-clients.js';
import { providerFailure, safeCode } from './provider-error.js';
import { parseProviders } from './provider-table.js';
import { grantedScopes, tokenSet } from './token-set.js';

const shipped = readFileSync(new URL('../../integrations.yaml', import.meta.url), 'utf8');

describe('the provider table', () => {
  it('that is shipped has every integration of the house', () => {
    expect([...parseProviders(shipped).keys()].sort()).toEqual([...integrationNames].sort());
  });

  it('adds systems that no other house has', () => {
    const yaml = 'integrations: [{ name: crm, title: Our CRM, kind: api-key, fields: [{ name: k, title: K }] }]';
    expect(parseProviders(yaml).get('crm')).toMatchObject({ title: 'Our CRM', kind: 'api-key' });
  });

  it('of an installation adds, replaces in place and leaves out, and all else stays', () => {
    const yaml = 'integrations: [{ name: crm, title: Our CRM, kind: api-key, fields: [{ name: k, title: K }] }, { name: gmail, title: Mail, kind: api-key, fields: [{ name: k, title: K }] }]\nwithout: [cloze]';
    const under = parseProviders(shipped);
    const table = parseProviders(yaml, 'own.yaml', under);
    expect([...table.keys()]).toEqual([...[...under.keys()].filter((name) => name !== 'cloze'), 'crm']);
    expect([table.get('gmail')?.title, table.get('slack')]).toEqual(['Mail', under.get('slack')]);
  });

  it.each([
    ['leaves out one that is not there', 'without: [fax]', 'without names "fax", which is not there'],
    ['leaves out what it brings', 'integrations: [{ name: crm, title: C, kind: api-key, fields: [{ name: k, title: K }] }]\nwithout: [crm]', 'keep one'],
    ['says nothing at all', '{}', 'says nothing'],
  ])('of an installation is refused when it %s', (_what, yaml, message) => {
    expect(() => parseProviders(yaml, 'own.yaml', parseProviders(shipped))).toThrow(message);
  });

  const entry = (more: string) => `integrations: [{ name: slack, title: Slack, ${more} }]`;
  it.each([
    ['a name that no skill could require', 'integrations: [{ name: Fax-2, title: Fax, kind: api-key, fields: [{ name: k, title: K }] }]', 'is no name'],
    ['a mistyped field', entry('kind: api-key, feilds: []'), 'feilds'],
    ['neither issuer nor endpoints', entry('kind: oauth2, client: c, scopes: []'), 'needs an issuer'],
    [
      'tokens over plain HTTP to another machine',
      entry('kind: oauth2, client: c, scopes: [], issuer: "http://id.example.com"'),
      'no https:// address',
    ],
    [
      'one name twice',
      `${entry('kind: api-key, fields: [{ name: k, title: K }]')}`.replace(/\{ name: slack.*\}(?=\])/, '$&, $&'),
      'stands twice',
    ],
  ])('is refused with %s', (_what, yaml, message) => {
    expect(() => parseProviders(yaml)).toThrow(message);
  });
});

describe('an answer of Slack', () => {
  const slack = parseProviders(shipped).get('slack');
  const differs = slack?.kind === 'oauth2' ? slack.answer! : undefined!;
  it.each([
    [
      'gives the token of the user',
      200,
      { ok: true, team: { name: 'T' }, authed_user: { access_token: 'xoxp', scope: 'a,b', token_type: 'user' } },
      200,
      { access_token: 'xoxp', scope: 'a,b', token_type: 'bearer', team: { name: 'T' } },
    ],
    [
      'of a renewal has it at the top',
      200,
      { ok: true, access_token: 'xoxe', token_type: 'user', expires_in: 43_200 },
      200,
      { access_token: 'xoxe', token_type: 'bearer', expires_in: 43_200 },
    ],
    ['with ok: false is an error', 200, { ok: false, error: 'bad_client_secret' }, 400, { error: 'bad_client_secret' }],
    ['that the token was revoked is an invalid grant', 200, { ok: false, error: 'token_revoked' }, 400, { error: 'invalid_grant' }],
    ['without a word of the reason is no reason to expire', 500, {}, 500, { error: 'server_error' }],
  ])('%s', (_what, status, body, toStatus, toBody) => {
    expect(normalAnswer(differs, status, body)).toMatchObject({ status: toStatus, body: toBody });
  });
});

describe('a failure of a provider', () => {
  const said = (status: number, error: string) =>
    new ResponseBodyError('x', { cause: { error }, response: new Response(null, { status }) } as never);
  it.each([
    ['invalid_grant', said(400, 'invalid_grant'), { kind: 'invalid-grant' }],
    ['a client that it does not know', said(401, 'invalid_client'), { kind: 'refused', code: 'invalid_client' }],
    ['too many requests', said(429, 'invalid_grant'), { kind: 'away' }],
    ['an error of its own that says invalid_grant', said(503, 'invalid_grant'), { kind: 'away' }],
    ['a passing trouble', said(400, 'temporarily_unavailable'), { kind: 'away' }],
    ['no network', new TypeError('fetch failed'), { kind: 'away', why: 'TypeError' }],
  ])('by %s is of who must act', (_what, error, failure) => {
    expect(providerFailure(error)).toMatchObject(failure);
  });

  it('is told by its code alone, whatever was put into it', () => {
    expect(safeCode(`no <script> ${'x'.repeat(100)}`)).toMatch(/^no_script_x{1,64}$/);
  });
});

describe('a token answer', () => {
  it('keeps the refresh token where the new answer has none', () => {
    const before = tokenSet({ access_token: 'a', refresh_token: 'r', expires_in: 3_600 }, 0);
    expect(tokenSet({ access_token: 'b' }, 0, before)).toEqual({ accessToken: 'b', refreshToken: 'r' });
    expect(tokenSet({ access_token: 'b', refresh_token: 'r2' }, 0, before)).toMatchObject({ refreshToken: 'r2' });
  });

  it('is renewed a minute before its end, or a quarter of a short life', () => {
    expect(tokenSet({ access_token: 'a', expires_in: 3_600 }, 1_000)).toMatchObject({ expiresAt: 3_601_000, renewAt: 3_541_000 });
    expect(tokenSet({ access_token: 'a', expires_in: 2 }, 0)).toMatchObject({ expiresAt: 2_000, renewAt: 1_500 });
    expect(tokenSet({ access_token: 'a', expires_in: 0 }, 0)).toEqual({ accessToken: 'a' });
  });

  it('grants what it says, by blanks or commas, and else what was asked for', () => {
    expect(grantedScopes('a b,c', ['x'])).toEqual(['a', 'b', 'c']);
    expect(grantedScopes('', ['x'])).toEqual([]);
    expect(grantedScopes(undefined, ['x'])).toEqual(['x']);
  });
});

describe('the variable with the clients', () => {
  it.each(['secret-in-the-wrong-place', '[]', '{"google":{"secret":"s3cret"}}'])('is refused as %s, and quotes nothing of it', (text) => {
    expect(oauthClientsVariable.safeParse(text).error?.issues.map(({ message }) => message)).toEqual([
      expect.not.stringContaining('ecret-in'),
    ]);
  });
});
