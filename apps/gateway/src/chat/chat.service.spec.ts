import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { refuse } from '@skillgate/contracts/refusal';
import type { TurnMessage } from '@skillgate/contracts/turn-stream';
import OpenAI from 'openai';
import { finished, keyOf, openGatewayHouse, people, until, type GatewayHouse, type StartedTurn } from '../gateway-house.fixture.js';

let house: GatewayHouse;

beforeAll(async () => {
  house = await openGatewayHouse();
}, 30_000);
afterEach(() => {
  house.onTurn = () => undefined;
});
afterAll(() => house?.close());

const body = (more: object = {}) => ({ model: 'default', messages: [{ role: 'user', content: 'Hello' }], ...more });
const delta = (n: number, text: string, attempt = 1): TurnMessage => ({ attempt, n, body: { type: 'delta', text } });
const ended = (n: number, answer: string, attempt = 1): TurnMessage => ({ attempt, n, body: { type: 'ended', outcome: finished(answer) } });
const progress = (n: number): TurnMessage => ({ attempt: 1, n, body: { type: 'progress', progress: { stage: 'calling', tool: 'docs_write_text', message: 'two\nlines' } } });

const saying = (...messages: TurnMessage[]) => (turn: StartedTurn) => messages.forEach((message) => turn.say(message));
const streamed = async (more: object = {}, as = 'user') => house.ask('/v1/chat/completions', { as, json: body({ stream: true, ...more }) });
const dataOf = (text: string) => [...text.matchAll(/^data: (\{.*)$/gm)].map(([, json]) => JSON.parse(json!));
const contentOf = (text: string) => dataOf(text).map(({ choices }) => choices?.[0]?.delta?.content ?? '').join('');

describe('a streamed turn', () => {
  it('is a transcript of the vendor: role, content, finish, done', async () => {
    house.onTurn = saying(delta(0, 'Hel'), progress(1), delta(2, 'lo'), ended(3, 'Hello'));
    const response = await streamed();
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    const turn = response.headers.get('x-skillgate-turn')!;
    expect(response.headers.get('x-skillgate-chat')).toBe(house.turns.get(turn)!.ticket.chat);
    expect(response.headers.get('x-request-id')).toMatch(/^[\w-]+$/);
    const text = await response.text();
    const masked = text.replaceAll(turn, 'TURN').replaceAll(/"created":\d+/g, '"created":0');
    const head = '"id":"chatcmpl-TURN","object":"chat.completion.chunk","created":0,"model":"default"';
    const chunk = (delta: string, finish = 'null') => `data: {${head},"choices":[{"index":0,"delta":${delta},"finish_reason":${finish},"logprobs":null}]}\n\n`;
    expect(masked).toBe(
      [
        chunk('{"role":"assistant","content":""}'),
        `id: 1.0\n${chunk('{"content":"Hel"}')}`,
        ': calling docs_write_text two lines\n\n',
        `id: 1.2\n${chunk('{"content":"lo"}')}`,
        chunk('{}', '"stop"'),
        'data: [DONE]\n\n',
      ].join(''),
    );
  });

  it('has a usage chunk last, and null before, when usage was asked for', async () => {
    house.onTurn = saying(delta(0, 'Hello'), ended(1, 'Hello'));
    const chunks = dataOf(await (await streamed({ stream_options: { include_usage: true } })).text());
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { prompt_tokens: 10, completion_tokens: 4, total_tokens: 14, prompt_tokens_details: { cached_tokens: 2 } } });
    expect(chunks.slice(0, -1).every(({ usage }) => usage === null)).toBe(true);
  });

  it('carries progress in chunks only for who asks for it', async () => {
    house.onTurn = saying(progress(0), delta(1, 'Hi'), ended(2, 'Hi'));
    const text = await (await streamed({ skillgate: { progress: true } })).text();
    expect(text).not.toContain(': calling');
    expect(dataOf(text)[1]).toMatchObject({ choices: [{ delta: {} }], skillgate: { progress: { stage: 'calling', tool: 'docs_write_text' } } });
  });

  it('misses nothing that is said before the start is acknowledged', async () => {
    house.onTurn = async (turn) => {
      turn.say(delta(0, 'early '));
      await new Promise((resolve) => setTimeout(resolve, 50));
      turn.say(delta(1, 'late'));
      turn.say(ended(2, 'early late'));
    };
    expect(contentOf(await (await streamed()).text())).toBe('early late');
  });

  it('drops lower attempts after a takeover', async () => {
    house.onTurn = saying(delta(0, 'new', 2), delta(0, 'old', 1), ended(1, 'new', 2));
    expect(contentOf(await (await streamed()).text())).toBe('new');
  });

  it('fills a gap from the journal', async () => {
    house.onTurn = (turn) => {
      turn.outcome = finished('one two three');
      saying(delta(0, 'one '), delta(2, 'three'))(turn);
    };
    expect(contentOf(await (await streamed()).text())).toBe('one two three');
  });

  it('asks the journal after silence, and never hangs', async () => {
    house.onTurn = (turn) => {
      turn.say(delta(0, 'half'));
      setTimeout(() => (turn.outcome = finished('half and half')), 250);
    };
    const before = house.journalReads;
    expect(contentOf(await (await streamed()).text())).toBe('half and half');
    expect(house.journalReads - before).toBeGreaterThanOrEqual(2);
  });

  it('ends with an error chunk and without [DONE] when the turn fails', async () => {
    const outcome = { ...finished(''), status: 'failed' as const, error: { slug: 'model-unreachable', message: 'The model is away.', correlationId: 'c1' } };
    house.onTurn = saying({ attempt: 1, n: 0, body: { type: 'ended', outcome } });
    const text = await (await streamed()).text();
    expect(dataOf(text).at(-1)).toEqual({ error: { message: 'The model is away.', type: 'server_error', param: null, code: 'model-unreachable', correlation_id: 'c1' } });
    expect(text).not.toContain('[DONE]');
  });

  it('is cancelled when its client leaves, and nobody listens any more', async () => {
    house.onTurn = saying(delta(0, 'a'));
    const leave = new AbortController();
    const response = await house.ask('/v1/chat/completions', { json: body({ stream: true }), signal: leave.signal });
    const turn = response.headers.get('x-skillgate-turn')!;
    leave.abort();
    await until(() => house.cancelled.includes(turn));
    const reads = house.journalReads;
    await new Promise((resolve) => setTimeout(resolve, 400));
    expect(house.journalReads).toBe(reads);
  });

  it('of 200 clients who all leave after the first chunk leaves nothing behind', async () => {
    const before = house.cancelled.length;
    house.onTurn = saying(delta(0, 'a'));
    for (let round = 0; round < 4; round++) {
      const leaves = Array.from({ length: 50 }, async () => {
        const leave = new AbortController();
        const response = await house.ask('/v1/chat/completions', { json: body({ stream: true }), signal: leave.signal });
        await response.body!.getReader().read();
        leave.abort();
      });
      await Promise.all(leaves);
    }
    await until(() => house.cancelled.length === before + 200, 10_000);
    const reads = house.journalReads;
    await new Promise((resolve) => setTimeout(resolve, 400));
    expect(house.journalReads).toBe(reads); // a follower left behind would go on asking
  });

  it('reaches a client whole that is far behind', async () => {
    const piece = 'x'.repeat(10_000);
    const answer = piece.repeat(20);
    house.onTurn = (turn) => {
      for (let n = 0; n < 2_000; n++) turn.say(delta(n, n < 20 ? piece : ''));
      turn.say(ended(2_000, answer));
    };
    const response = await streamed();
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(contentOf(await response.text())).toBe(answer);
  });

  it('survives a restart of NATS: what was lost meanwhile comes from the journal', async () => {
    let turn: StartedTurn | undefined;
    house.onTurn = (started) => {
      turn = started;
      started.say(delta(0, 'before '));
    };
    const response = await streamed();
    await house.nats.server.restart();
    await until(() => Object.values(house.wires).every((wire) => wire.status().connected), 10_000);
    turn!.outcome = finished('before and after');
    expect(contentOf(await response.text())).toBe('before and after');
  }, 20_000);

  it('works with the official client', async () => {
    house.onTurn = saying(progress(0), delta(1, 'Hel'), delta(2, 'lo'), ended(3, 'Hello'));
    const client = new OpenAI({ baseURL: `${house.url}/v1`, apiKey: keyOf('user'), maxRetries: 0 });
    const stream = await client.chat.completions.create({ model: 'default', stream: true, messages: [{ role: 'user', content: 'Hello' }], stream_options: { include_usage: true } });
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
    const outcome = { ...finished(''), status: 'failed' as const, error: { slug: 'model-unreachable', message: 'The model is away.' } };
    house.onTurn = saying({ attempt: 1, n: 0, body: { type: 'ended', outcome } });
    const client = new OpenAI({ baseURL: `${house.url}/v1`, apiKey: keyOf('user'), maxRetries: 0 });
    const stream = await client.chat.completions.create({ model: 'default', stream: true, messages: [{ role: 'user', content: 'Hello' }] });
    await expect((async () => { for await (const _ of stream); })()).rejects.toMatchObject({ code: 'model-unreachable' });
  });
});

describe('a turn that is answered whole', () => {
  it('is a completion of the vendor, with our ids beside it', async () => {
    house.onTurn = saying(delta(0, 'Hello'), ended(1, 'Hello'));
    const response = await house.ask('/v1/chat/completions', { json: body() });
    expect(await response.json()).toMatchObject({
      object: 'chat.completion',
      model: 'default',
      choices: [{ index: 0, message: { role: 'assistant', content: 'Hello' }, finish_reason: 'stop' }],
      usage: { total_tokens: 14 },
      skillgate: { turn: response.headers.get('x-skillgate-turn'), artifacts: [] },
    });
  });

  it('fails with a status and the vendor\'s shape', async () => {
    const outcome = { ...finished(''), status: 'failed' as const, error: { slug: 'model-unreachable', message: 'The model is away.', correlationId: 'c1' } };
    house.onTurn = saying({ attempt: 1, n: 0, body: { type: 'ended', outcome } });
    const response = await house.ask('/v1/chat/completions', { json: body() });
    expect(response.status).toBe(503);
    expect(response.headers.get('retry-after')).toBe('2');
    expect(await response.json()).toMatchObject({ error: { code: 'model-unreachable', type: 'server_error' } });
  });

  it('is cancelled when its client leaves', async () => {
    const leave = new AbortController();
    let started: StartedTurn | undefined;
    house.onTurn = (turn) => void (started = turn);
    const asking = house.ask('/v1/chat/completions', { json: body(), signal: leave.signal });
    await until(() => started !== undefined);
    leave.abort();
    await expect(asking).rejects.toThrow();
    await until(() => house.cancelled.includes(started!.ticket.turn));
  });
});

describe('what a turn is started with', () => {
  it('is a ticket of the caller for this chat and turn, and the messages', async () => {
    house.onTurn = saying(ended(0, ''));
    const response = await house.ask('/v1/chat/completions', { json: body({ skillgate: { skills: { 'meeting-notes': 'never' } }, max_tokens: 5 }) });
    const { ticket, input } = house.turns.get(response.headers.get('x-skillgate-turn')!)!;
    const { account, user, policyEpoch } = people['user']!;
    expect(ticket).toMatchObject({ iss: 'gateway', typ: 'ticket', account, user, policyEpoch, overrides: { 'meeting-notes': 'never' } });
    expect(ticket.exp - ticket.iat).toBe(900);
    expect(input).toMatchObject({ stateful: false, messages: [{ role: 'user', content: 'Hello' }], sampling: { max_completion_tokens: 5 } });
  });

  it('names the chat that the client goes on with', async () => {
    house.onTurn = saying(ended(0, ''));
    const chat_id = '6f2f1c1e-4a43-4d0e-9a0c-0b7a2f1f7a11';
    const response = await house.ask('/v1/chat/completions', { json: body({ skillgate: { chat_id } }) });
    const { ticket, input } = house.turns.get(response.headers.get('x-skillgate-turn')!)!;
    expect(ticket.chat).toBe(chat_id);
    expect(input.stateful).toBe(true);
  });
});

describe('a chat request that cannot be', () => {
  it.each<[string, Parameters<GatewayHouse['ask']>[1], number, object]>([
    ['without a key', { as: null, json: body() }, 401, { code: 'missing-api-key', type: 'authentication_error' }],
    ['with an unknown key', { as: 'stranger', json: body() }, 401, { code: 'invalid-api-key' }],
    ['with a wrong type', { json: body({ temperature: 'hot' }) }, 400, { code: 'invalid-request', param: 'temperature', type: 'invalid_request_error' }],
    ['with an unknown field', { json: body({ top_k: 3 }) }, 400, { param: 'top_k' }],
    ['with broken JSON', { method: 'POST', body: '{"model":', headers: { 'content-type': 'application/json' } }, 400, { code: 'malformed-json' }],
    ['with a form', { method: 'POST', body: 'model=x', headers: { 'content-type': 'application/x-www-form-urlencoded' } }, 415, { code: 'unsupported-media-type' }],
    ['too large for HTTP', { json: body({ messages: [{ role: 'user', content: 'x'.repeat(1_100_000) }] }) }, 413, { code: 'body-too-large' }],
    ['too large for the wire', { json: body({ messages: [{ role: 'user', content: 'x'.repeat(300_000) }] }) }, 413, { code: 'message-too-large' }],
  ])('%s is refused in the vendor\'s shape', async (_what, options, status, error) => {
    const response = await house.ask('/v1/chat/completions', options);
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ error });
    expect(response.headers.get('x-request-id')).toBeTruthy();
  });

  it('meets a busy chat with 409', async () => {
    house.onTurn = () => {
      throw refuse('turn-in-progress', 'A turn runs in this chat.');
    };
    const response = await streamed();
    expect(response.status).toBe(409);
    expect(await response.json()).toMatchObject({ error: { code: 'turn-in-progress' } });
  });

  it('gets no detail of a defect but a correlation id', async () => {
    house.onTurn = () => {
      throw new Error('the password is hunter2');
    };
    const response = await streamed();
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
