import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { explainSkills } from '@skillgate/contracts/calls/catalog';
import { refuse } from '@skillgate/contracts/refusal';
import OpenAI from 'openai';
import { keyOf, openGatewayHouse, people, until, type GatewayHouse, type StartedTurn } from '../gateway-house.fixture.js';
import { chatBody, delta, ended, failed, progress, saying } from './chat.fixture.js';

let house: GatewayHouse;

beforeAll(async () => {
  house = await openGatewayHouse();
  const skill = { slug: 'meeting-notes', state: 'available' as const, layer: 'default' as const, usable: true, unmet: [], version: '1.0.0', digest: 'a'.repeat(64), title: 'M' };
  await house.wires.catalog.serve(explainSkills, async () => ({ skills: [skill] })).ready;
}, 30_000);
afterEach(() => {
  house.onTurn = () => undefined;
});
afterAll(() => house?.close());

describe('a turn that is answered whole', () => {
  it('is a completion of the vendor, with our ids beside it', async () => {
    house.onTurn = saying(delta(0, 'Hello'), ended(1, 'Hello'));
    const response = await house.ask('/v1/chat/completions', { json: chatBody() });
    expect(await response.json()).toMatchObject({
      object: 'chat.completion',
      model: 'default',
      choices: [{ index: 0, message: { role: 'assistant', content: 'Hello' }, finish_reason: 'stop' }],
      usage: { total_tokens: 14 },
      skillgate: { turn: response.headers.get('x-skillgate-turn'), artifacts: [] },
    });
  });

  it("fails with a status and the vendor's shape", async () => {
    house.onTurn = saying(failed(0, 'model-unreachable'));
    const response = await house.ask('/v1/chat/completions', { json: chatBody() });
    expect(response.status).toBe(503);
    expect(response.headers.get('retry-after')).toBe('2');
    expect(await response.json()).toMatchObject({ error: { code: 'model-unreachable', type: 'server_error' } });
  });

  it('is cancelled when its client leaves', async () => {
    const leave = new AbortController();
    let started: StartedTurn | undefined;
    house.onTurn = (turn) => void (started = turn);
    const asking = house.ask('/v1/chat/completions', { json: chatBody(), signal: leave.signal });
    await until(() => started !== undefined);
    leave.abort();
    await expect(asking).rejects.toThrow();
    await until(() => house.cancelled.includes(started!.ticket.turn));
  });
});

describe('what a turn is started with', () => {
  it('is a ticket of the caller for this chat and turn, and the messages', async () => {
    house.onTurn = saying(ended(0, ''));
    const response = await house.ask('/v1/chat/completions', {
      json: chatBody({ skillgate: { skills: { 'meeting-notes': 'never' } }, max_tokens: 5 }),
    });
    const { ticket, input } = house.turns.get(response.headers.get('x-skillgate-turn')!)!;
    const { account, user, policyEpoch } = people['user']!;
    expect(ticket).toMatchObject({ iss: 'gateway', typ: 'ticket', account, user, policyEpoch, overrides: { 'meeting-notes': 'never' } });
    expect(ticket.exp - ticket.iat).toBe(900);
    expect(input).toMatchObject({
      stateful: false,
      messages: [{ role: 'user', content: 'Hello' }],
      sampling: { max_completion_tokens: 5 },
    });
  });

  it('names the chat that the client goes on with', async () => {
    house.onTurn = saying(ended(0, ''));
    const chat_id = '6f2f1c1e-4a43-4d0e-9a0c-0b7a2f1f7a11';
    const response = await house.ask('/v1/chat/completions', { json: chatBody({ skillgate: { chat_id } }) });
    const { ticket, input } = house.turns.get(response.headers.get('x-skillgate-turn')!)!;
    expect(ticket.chat).toBe(chat_id);
    expect(input.stateful).toBe(true);
  });
});

describe('a chat request that cannot be', () => {
  it.each<[string, Parameters<GatewayHouse['ask']>[1], number, object]>([
    ['without a key', { as: null, json: chatBody() }, 401, { code: 'missing-api-key', type: 'authentication_error' }],
    ['with an unknown key', { as: 'stranger', json: chatBody() }, 401, { code: 'invalid-api-key' }],
    [
      'with a wrong type',
      { json: chatBody({ temperature: 'hot' }) },
      400,
      { code: 'invalid-request', param: 'temperature', type: 'invalid_request_error' },
    ],
    ['with an unknown field', { json: chatBody({ top_k: 3 }) }, 400, { param: 'top_k' }],
    [
      'with broken JSON',
      { method: 'POST', body: '{"model":', headers: { 'content-type': 'application/json' } },
      400,
      { code: 'malformed-json' },
    ],
    [
      'with a form',
      { method: 'POST', body: 'model=x', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
      415,
      { code: 'unsupported-media-type' },
    ],
    [
      'too large for HTTP',
      { json: chatBody({ messages: [{ role: 'user', content: 'x'.repeat(1_100_000) }] }) },
      413,
      { code: 'body-too-large' },
    ],
    [
      'too large for the wire',
      { json: chatBody({ messages: [{ role: 'user', content: 'x'.repeat(300_000) }] }) },
      413,
      { code: 'message-too-large' },
    ],
  ])("%s is refused in the vendor's shape", async (_what, options, status, error) => {
    const response = await house.ask('/v1/chat/completions', options);
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ error });
    expect(response.headers.get('x-request-id')).toBeTruthy();
  });

  it('meets a busy chat with 409', async () => {
    house.onTurn = () => {
      throw refuse('turn-in-progress', 'A turn runs in this chat.');
    };
    const response = await house.ask('/v1/chat/completions', { json: chatBody({ stream: true }) });
    expect(response.status).toBe(409);
    expect(await response.json()).toMatchObject({ error: { code: 'turn-in-progress' } });
  });

  it('gets no detail of a defect but a correlation id', async () => {
    house.onTurn = () => {
      throw new Error('the password is hunter2');
    };
    const response = await house.ask('/v1/chat/completions', { json: chatBody({ stream: true }) });
    expect(response.status).toBe(500);
    const text = await response.text();
    expect(text).not.toContain('hunter2');
    expect(JSON.parse(text)).toMatchObject({ error: { code: 'internal', correlation_id: expect.stringMatching(/./) } });
  });
});

describe('models', () => {
  it('are listed with the default first', async () => {
    const client = new OpenAI({ baseURL: `${house.url}/v1`, apiKey: keyOf('user'), maxRetries: 0 });
    expect((await client.models.list()).data.map(({ id }) => id)).toEqual(['default', 'other']);
    expect((await client.models.retrieve('other')).owned_by).toBe('skillgate');
    await expect(client.models.retrieve('nope')).rejects.toMatchObject({ status: 404, code: 'unknown-model' });
  });
});

describe('authentication', () => {
  it('asks accounts once for a burst of requests with one key', async () => {
    await house.ask('/v1/models', { as: 'admin' });
    const before = house.authentications;
    await Promise.all(Array.from({ length: 20 }, () => house.ask('/v1/models', { as: 'admin' })));
    expect(house.authentications).toBe(before);
  });
});

describe('a streamed turn', () => {
  it('works with the official client', async () => {
    house.onTurn = saying(progress(0), delta(1, 'Hel'), delta(2, 'lo'), ended(3, 'Hello'));
    const client = new OpenAI({ baseURL: `${house.url}/v1`, apiKey: keyOf('user'), maxRetries: 0 });
    const stream = await client.chat.completions.create({
      model: 'default',
      stream: true,
      messages: [{ role: 'user', content: 'Hello' }],
      stream_options: { include_usage: true },
    });
    let text = '';
    let tokens: number | undefined;
    for await (const chunk of stream) {
      text += chunk.choices[0]?.delta.content ?? '';
      tokens = chunk.usage?.total_tokens ?? tokens;
    }
    expect(text).toBe('Hello');
    expect(tokens).toBe(14);
  });

  it('fails in the official client with the error of the turn', async () => {
    house.onTurn = saying(failed(0, 'model-unreachable'));
    const client = new OpenAI({ baseURL: `${house.url}/v1`, apiKey: keyOf('user'), maxRetries: 0 });
    const stream = await client.chat.completions.create({ model: 'default', stream: true, messages: [{ role: 'user', content: 'Hello' }] });
    await expect(
      (async () => {
        for await (const _ of stream);
      })(),
    ).rejects.toMatchObject({ code: 'model-unreachable' });
  });
});
