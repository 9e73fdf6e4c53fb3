import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { refuse } from '@skillgate/contracts/refusal';
import { openGatewayHouse, people, type GatewayHouse } from '../gateway-house.fixture.js';

let house: GatewayHouse;
beforeAll(async () => {
  house = await openGatewayHouse();
}, 30_000);
afterAll(() => house?.close());

const bearer = (token: string) => ({ as: null, headers: { authorization: `Bearer ${token}` } });
const { key: _none, ...ann } = { ...people['user']!, issuer: 'https://id.example', subject: 'ann' };
const inSeconds = (seconds: number) => Math.floor(Date.now() / 1000) + seconds;

describe('who signs in with a token', () => {
  it('is the user that accounts says, with no key', async () => {
    house.tokens.set('a.good.token', () => ann);
    const me = await house.ask('/api/v1/me', bearer('a.good.token'));
    expect(me.status).toBe(200);
    expect(await me.json()).toEqual(ann);
  });

  it('may do what the roles say', async () => {
    house.tokens.set('a.user.token', () => ann);
    expect((await house.ask('/api/v1/tiers', bearer('a.user.token'))).status).toBe(403);
  });

  it('and gives no role gets 403 in the words of who read the claim', async () => {
    house.tokens.set('a.roleless.token', () => {
      throw refuse('token-without-role', 'The claim "groups" holds no role.');
    });
    const answer = await house.ask('/api/v1/me', bearer('a.roleless.token'));
    expect(answer.status).toBe(403);
    expect(await answer.json()).toMatchObject({ slug: 'token-without-role', detail: 'The claim "groups" holds no role.' });
  });

  it.each([
    ['token-invalid', 'token-invalid'],
    ['token-expired', 'token-expired'],
    ['unknown-user', 'token-without-user'],
    ['user-revoked', 'token-user-revoked'],
  ])('and is refused with %s gets 401 and what to do, in both shapes', async (refused, told) => {
    const token = `a.${refused}.token`;
    house.tokens.set(token, () => {
      throw refuse(refused, `aud is wrong in ${token}`);
    });
    const ours = await house.ask('/api/v1/me', bearer(token));
    expect(ours.status).toBe(401);
    expect(ours.headers.get('www-authenticate')).toContain('error="invalid_token"');
    const body = await ours.text();
    expect(JSON.parse(body)).toMatchObject({ slug: told });
    expect(body).not.toContain('aud is wrong');
    const vendor = await house.ask('/v1/models', bearer(token));
    expect(await vendor.json()).toMatchObject({ error: { type: 'authentication_error', code: told } });
  });

  it('is asked to sign in again as soon as the token has ended, though it is remembered', async () => {
    house.tokens.set('a.short.token', () => ({ ...ann, expiresAt: inSeconds(2) }));
    expect((await house.ask('/api/v1/me', bearer('a.short.token'))).status).toBe(200);
    await new Promise((resolve) => setTimeout(resolve, 2_100));
    const later = await house.ask('/api/v1/me', bearer('a.short.token'));
    expect([later.status, ((await later.json()) as { slug: string }).slug]).toEqual([401, 'token-expired']);
  });
});

describe('a key that ends', () => {
  it('opens nothing from its last second on', async () => {
    const person = { ...people['user']!, key: randomUUID(), expiresAt: inSeconds(-1) };
    people['late'] = person;
    const response = await house.ask('/api/v1/me', { as: 'late' });
    expect([response.status, ((await response.json()) as { slug: string }).slug]).toEqual([401, 'invalid-api-key']);
    delete people['late'];
  });
});

describe('who shows nothing', () => {
  it('is asked for a credential, and is not told that one was wrong', async () => {
    const response = await house.ask('/api/v1/me', { as: null });
    expect(response.headers.get('www-authenticate')).toBe('Bearer realm="skillgate"');
  });
});
