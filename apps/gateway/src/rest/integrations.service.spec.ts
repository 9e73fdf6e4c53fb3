import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openGatewayHouse, people, type GatewayHouse } from '../gateway-house.fixture.js';
import { goodState } from './integration-peers.fixture.js';
import { servePeers, type NotedCall } from './rest-peers.fixture.js';

let house: GatewayHouse;
const calls: NotedCall[] = [];
const callback = '/api/v1/integrations/callback';
const page = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

beforeAll(async () => {
  house = await openGatewayHouse({ SKILLGATE_PUBLIC_URL: 'https://skillgate.example' });
  await servePeers(house, calls);
}, 30_000);
afterAll(() => house?.close());

describe('connecting an outside system', () => {
  it('begins with an address for a browser that leads back to the public one of this house', async () => {
    const asked = { as: 'admin', method: 'POST', headers: { host: 'evil.example' } };
    const response = await house.ask('/api/v1/integrations/slack/connection', asked);
    expect(response.status).toBe(201);
    const { url } = (await response.json()) as { url: string };
    expect(new URL(url).searchParams.get('redirect_uri')).toBe(`https://skillgate.example${callback}`);
  });

  it('ends without a key, in JSON for who asks for no page', async () => {
    const response = await house.ask(`${callback}?state=${goodState}&code=abc&scope=read`, { as: null });
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ integration: 'slack', status: 'connected', account: people['admin']!.account });
  });

  it('ends in a browser with a page that says for which account, and that nothing can run in', async () => {
    const response = await house.ask(`${callback}?state=${goodState}&code=abc`, { as: null, headers: page });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect([response.headers.get('cache-control'), response.headers.get('referrer-policy')]).toEqual(['no-store', 'no-referrer']);
    const html = await response.text();
    expect(html).toContain(people['admin']!.account);
    expect(html).toContain('Slack &lt;Team&gt; is connected as ann@example.com');
  });

  it.each([
    ['of a state that nobody began', 'state=x&code=abc', 404, 'connection-unknown'],
    ['that the person refused', `state=${goodState}&error=access_denied`, 422, 'connection-denied'],
    ['without a state', 'code=abc', 422, 'invalid-query'],
    ['with U+0000', `state=%00&code=abc`, 422, 'invalid-query'],
    ['with two states', `state=${goodState}&state=x`, 422, 'invalid-query'],
  ])('does not end with an answer %s', async (_what, query, status, slug) => {
    const json = await house.ask(`${callback}?${query}`, { as: null });
    expect([json.status, ((await json.json()) as { slug: string }).slug]).toEqual([status, slug]);
    const html = await house.ask(`${callback}?${query}`, { as: null, headers: page });
    expect([html.status, html.headers.get('content-type')]).toEqual([status, 'text/html; charset=utf-8']);
    expect(await html.text()).not.toMatch(/<unknown>|abc/);
  });

  it('that takes a secret hands it on and shows it to nobody', async () => {
    const fields = { api_key: 'planted-secret-4711' };
    const put = { as: 'admin', method: 'PUT', json: { fields } };
    const response = await house.ask('/api/v1/integrations/slack/credential', put);
    expect(response.status).toBe(200);
    expect(await response.text()).not.toContain('planted-secret');
    expect(calls.at(-1)).toMatchObject({ call: 'secret', input: { integration: 'slack', fields } });
    expect((await house.ask('/api/v1/integrations/nothing/credential', put)).status).toBe(404);
  });

  it('is undone in the own account, and by an operator in any', async () => {
    await house.ask('/api/v1/integrations/slack', { as: 'admin', method: 'DELETE' });
    expect(calls.at(-1)).toEqual({ call: 'disconnect', input: { integration: 'slack' }, roles: people['admin']!.roles });
    const { account } = people['admin']!;
    await house.ask(`/api/v1/accounts/${account}/integrations/slack`, { as: 'operator', method: 'DELETE' });
    expect(calls.at(-1)).toEqual({ call: 'disconnect', input: { account, integration: 'slack' }, roles: ['operator'] });
  });
});
