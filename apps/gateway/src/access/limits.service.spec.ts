import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { HouseError } from '@skillgate/contracts/refusal';
import { chatBody } from '../chat/chat.fixture.js';
import { openGatewayHouse, type GatewayHouse } from '../gateway-house.fixture.js';

let house: GatewayHouse;

beforeAll(async () => {
  house = await openGatewayHouse({ SKILLGATE_REQUESTS_A_MINUTE_KEY: '4', SKILLGATE_REQUESTS_A_MINUTE_ACCOUNT: '0' });
}, 30_000);
afterAll(() => house?.close());

describe('who sends more than the limit of a minute', () => {
  it('sees it coming', async () => {
    const response = await house.ask('/api/v1/me', { as: 'admin' });
    expect(response.headers.get('x-ratelimit-limit-requests')).toBe('4');
    expect(response.headers.get('x-ratelimit-remaining-requests')).toBe('3');
    expect(response.headers.get('x-ratelimit-reset-requests')).toMatch(/^\d+s$/);
  });

  it('gets 429 with the limit in the body and the time in Retry-After, in both shapes, and nobody else does', async () => {
    for (let n = 0; n < 4; n++) expect((await house.ask('/v1/models')).status).toBe(200);
    const vendor = await house.ask('/v1/models');
    expect(vendor.status).toBe(429);
    expect(Number(vendor.headers.get('retry-after'))).toBeGreaterThan(50);
    expect(vendor.headers.get('x-ratelimit-limit-requests')).toBe('4');
    expect(vendor.headers.get('x-ratelimit-remaining-requests')).toBe('0');
    expect(vendor.headers.get('x-ratelimit-reset-requests')).toBe(`${vendor.headers.get('retry-after')}s`);
    expect(await vendor.json()).toEqual({
      error: {
        message: expect.stringContaining('4 requests a minute'),
        type: 'rate_limit_error',
        code: 'requests-a-minute-reached',
        param: null,
        details: { scope: 'key', limit: 4, used: 4, resetsAt: expect.stringMatching(/^\d{4}-/) },
      },
    });
    const ours = await house.ask('/api/v1/me');
    expect(ours.status).toBe(429);
    expect(Number(ours.headers.get('retry-after'))).toBeGreaterThan(50);
    const members = { status: 429, slug: 'requests-a-minute-reached', limit: 4, used: 4, resetsAt: expect.any(String) };
    expect(await ours.json()).toMatchObject(members);
    expect((await house.ask('/api/v1/me', { as: 'operator' })).status).toBe(200);
  });

  it('is not stopped from seeing that the house is well, which asks for no key', async () => {
    for (let n = 0; n < 6; n++) expect((await house.ask('/health/ready', { as: null })).status).toBe(200);
  });
});

describe('a budget that is used up', () => {
  it.each(['turns-a-day-reached', 'tokens-a-day-reached', 'parallel-turns-reached'])(
    'is 429 for the vendor: %s',
    async (slug) => {
      const details = { limit: 5, used: 5, resetsAt: '2030-01-01T00:00:00.000Z' };
      house.onTurn = () => {
        throw new HouseError({ kind: 'refusal', slug, message: 'The budget is used.', retryAfterMs: 7_500, details });
      };
      const another = await house.addReplica(); // with a minute of its own
      const response = await another.ask('/v1/chat/completions', { json: chatBody({ stream: true }) });
      expect(response.status).toBe(429);
      expect(response.headers.get('retry-after')).toBe('8');
      expect(await response.json()).toMatchObject({ error: { type: 'rate_limit_error', code: slug, details } });
    },
    15_000,
  );
});
